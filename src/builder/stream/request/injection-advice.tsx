/** When paging values are better put into the request by hand, and how. */
const cases: readonly (readonly [when: string, example: string])[] = [
  ['A prefix or suffix on the value', "cursor:{{ next_page_token['next_page_token'] }}"],
  ['Several values in one parameter', "{{ next_page_token['next_page_token'] or '0' }},50"],
  ['A place in the URL path', "orders/page/{{ next_page_token['next_page_token'] or 1 }}"],
  ['A condition', "{{ next_page_token['next_page_token'] if next_page_token else 'start' }}"],
]

export function InjectionAdvice() {
  return (
    <details className="advice">
      <summary>Custom parameter injection</summary>
      <p>
        Query, headers, body and path are templates. Switch the injection off under Pagination and write the value where
        it belongs; four cases call for it:
      </p>
      <dl>
        {cases.map(([when, example]) => (
          <div key={when}>
            <dt>{when}</dt>
            <dd>
              <code>{example}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
