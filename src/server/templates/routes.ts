/** Evaluation of templates on captured pages. */
import { json } from '../responses.ts'
import { evaluateOnPage } from './evaluate-on-page.ts'
import { templateNames } from './template-names.ts'
import type { Captures } from '../test-reads/captures.ts'
import { type Route, route } from '../route.ts'
import { evaluation, evaluationRequest, templateContext, templateContextRequest } from '../wire/evaluation.ts'

export function templateRoutes(captures: Captures): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/evaluations',
      id: 'evaluateTemplate',
      tag: 'building',
      summary: 'Evaluate a template on a page that was read',
      description: 'Secrets of the config are hidden before the template sees them.',
      takes: { body: evaluationRequest },
      responses: { 200: { description: 'The value, as Python would show it.', body: evaluation } },
      problems: [404, 410, 422],
      handle: ({ body }) => json(evaluateOnPage(body, captures)),
    }),
    route({
      method: 'post',
      path: '/v1/template-contexts',
      id: 'listTemplateNames',
      tag: 'building',
      summary: 'List what a template can use',
      description:
        'Names with their types and samples from a page that was read, functions and filters: for completion in an editor.',
      takes: { body: templateContextRequest },
      responses: { 200: { description: 'Names with their values, functions, filters.', body: templateContext } },
      problems: [404, 410],
      handle: ({ body }) => json(templateNames(body, captures)),
    }),
  ]
}
