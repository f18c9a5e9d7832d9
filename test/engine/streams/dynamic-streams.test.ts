import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import type { ConnectorError } from '../../../src/std/errors.ts'
import { type ResolvedStream, resolveStreams } from '../../../src/engine/streams/resolve-streams.ts'
import { streamOf } from '../../helpers/manifests.ts'

type Mapping = Record<string, unknown>
type Template = Record<string, unknown>

const name = { field_path: ['name'], value: '{{ components_values.name }}' }
const path = (...field_path: string[]) => ['retriever', 'requester', ...field_path]

const source = (dynamic: object[], rest: object = {}) =>
  loadManifest({
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckDynamicStream', stream_count: 1 },
    dynamic_streams: dynamic.map((one) => ({ type: 'DynamicDeclarativeStream', ...one })),
    ...rest,
  })

const mapped = (mappings: Mapping[]) => mappings.map((one) => ({ type: 'ComponentMappingDefinition', ...one }))

const fromManifest = (entries: object[], mappings: Mapping[], template: Template = streamOf({}), rest: object = {}) =>
  source([
    {
      stream_template: template,
      components_resolver: {
        type: 'ParametrizedComponentsResolver',
        stream_parameters: { type: 'StreamParametersDefinition', list_of_parameters_for_stream: entries },
        components_mapping: mapped(mappings),
      },
      ...rest,
    },
  ])

const fromConfig = (stream_config: object | object[], mappings: Mapping[], template: Template = streamOf({})) =>
  source([
    {
      stream_template: template,
      components_resolver: {
        type: 'ConfigComponentsResolver',
        stream_config,
        components_mapping: mapped(mappings),
      },
    },
  ])

const list = (...configs_pointer: string[]) => ({ type: 'StreamConfig', configs_pointer })

async function* nothing() {}

const resolved = (manifest: ReturnType<typeof source>, config: Record<string, unknown> = {}) =>
  resolveStreams({ manifest, config }, nothing)

const names = (streams: readonly ResolvedStream[]) => streams.map((one) => one.name)
/** A member of a stream, by its path. */
const at = (one: ResolvedStream | undefined, ...keys: (string | number)[]) =>
  keys.reduce<unknown>((held, key) => (held as Record<string, unknown> | undefined)?.[key], one?.stream)

describe('values from the manifest', () => {
  test('one stream for each entry, each value in its place', async () => {
    const manifest = fromManifest(
      [
        { name: 'a', path: '/a' },
        { name: 'b', path: '/b' },
      ],
      [name, { field_path: path('path'), value: "{{ components_values['path'] }}" }],
    )
    const streams = await resolved(manifest)
    assert.deepEqual(names(streams), ['a', 'b'])
    assert.deepEqual(
      streams.map((one) => [at(one, 'retriever', 'requester', 'path'), one.dynamic]),
      [
        ['/a', 'dynamic_stream_0'],
        ['/b', 'dynamic_stream_0'],
      ],
    )
  })

  test('the template stays as it was written', async () => {
    const manifest = fromManifest([{ name: 'a' }], [name])
    await resolved(manifest)
    assert.equal(
      (manifest.root.dynamic_streams as [{ stream_template: { name: string } }])[0].stream_template.name,
      'items',
    )
  })

  test('a place that the template lacks is made only where the mapping says so, and not for an empty value', async () => {
    const manifest = fromManifest(
      [{ name: 'a', empty: '' }],
      [
        name,
        { field_path: ['primary_key'], value: 'id' },
        { field_path: path('request_headers', 'x'), value: 'made', create_or_update: true },
        { field_path: path('request_headers', 'y'), value: '{{ components_values.empty }}', create_or_update: true },
      ],
    )
    const [stream] = await resolved(manifest)
    assert.equal(at(stream, 'primary_key'), undefined)
    assert.deepEqual(at(stream, 'retriever', 'requester', 'request_headers'), { x: 'made' })
  })

  test('patterns and positions reach several places at once', async () => {
    const template = {
      ...streamOf({}),
      transformations: ['x', 'y'].map((field) => ({
        type: 'AddFields',
        fields: [{ type: 'AddedFieldDefinition', path: [field], value: 'old' }],
      })),
    }
    const manifest = fromManifest(
      [{ name: 'a' }],
      [
        name,
        { field_path: ['transformations', '*', 'fields', '*', 'value'], value: 'new' },
        { field_path: ['transformations', '1', 'fields', '0', 'path'], value: "{{ ['z'] }}" },
      ],
      template,
    )
    const [stream] = await resolved(manifest)
    const fields = (index: number) => at(stream, 'transformations', index, 'fields', 0)
    assert.deepEqual(fields(0), { type: 'AddedFieldDefinition', path: ['x'], value: 'new' })
    assert.deepEqual(fields(1), { type: 'AddedFieldDefinition', path: ['z'], value: 'new' })
  })

  test('texts are read as YAML: objects and lists may come out of them', async () => {
    const manifest = fromManifest(
      [{ name: 'a', key: '[id, day]', headers: 'accept: text/plain', format: '%Y: not yaml: at all' }],
      [
        name,
        { field_path: ['primary_key'], value: '{{ components_values.key }}', create_or_update: true },
        { field_path: path('request_headers'), value: '{{ components_values.headers }}', create_or_update: true },
        { field_path: path('path'), value: '{{ components_values.format }}' },
      ],
    )
    const [stream] = await resolved(manifest)
    assert.deepEqual(at(stream, 'primary_key'), ['id', 'day'])
    assert.deepEqual(at(stream, 'retriever', 'requester', 'request_headers'), { accept: 'text/plain' })
    assert.equal(at(stream, 'retriever', 'requester', 'path'), '%Y: not yaml: at all')
  })

  test('what was set in the parameters of the stream reaches every component below', async () => {
    const template = { ...streamOf({ requester: { path: '{{ parameters.entity }}' } }), $parameters: { entity: 'x' } }
    const mappings = [name, { field_path: ['$parameters', 'entity'], value: '{{ components_values.name }}' }]
    const entries = [{ name: 'orders' }]
    const [inherited] = await resolved(fromManifest(entries, mappings, template))
    assert.deepEqual(at(inherited, 'retriever', 'requester', '$parameters'), { entity: 'orders' })
    const [own] = await resolved(fromManifest(entries, mappings, template, { use_parent_parameters: false }))
    assert.deepEqual(at(own, 'retriever', 'requester', '$parameters'), { entity: 'x' })
  })
})

describe('values from the config', () => {
  test('one stream for each member of the list; none without a list', async () => {
    const manifest = fromConfig(list('reports'), [name])
    assert.deepEqual(names(await resolved(manifest, { reports: [{ name: 'a' }, { name: 'b' }] })), ['a', 'b'])
    assert.deepEqual(names(await resolved(manifest, { reports: { name: 'one' } })), ['one'])
    assert.deepEqual(names(await resolved(manifest, {})), [])
    assert.deepEqual(names(await resolved(manifest, { reports: [] })), [])
  })

  test('several lists make every combination, the first varying slowest', async () => {
    const value =
      '{{ components_values.name }}_{{ components_values.source_config_1[1] }}_{{ components_values.source_config_1[0] }}'
    const manifest = fromConfig([list('reports'), list('regions')], [{ field_path: ['name'], value }])
    const config = { reports: [{ name: 'a' }, { name: 'b' }], regions: ['eu', 'us'] }
    assert.deepEqual(names(await resolved(manifest, config)), ['a_eu_0', 'a_us_1', 'b_eu_0', 'b_us_1'])
  })

  test('values that the manifest adds come after those of the config', async () => {
    const manifest = fromConfig({ ...list('reports'), default_values: [{ name: 'z' }] }, [name])
    assert.deepEqual(names(await resolved(manifest, { reports: [{ name: 'a' }] })), ['a', 'z'])
  })

  test('a mapping whose condition does not hold is left out', async () => {
    const only = { field_path: path('path'), value: '/special', condition: "{{ components_values.kind == 's' }}" }
    const streams = await resolved(fromConfig(list('reports'), [name, only]), {
      reports: [{ name: 'a', kind: 's' }, { name: 'b' }],
    })
    assert.deepEqual(
      streams.map((one) => at(one, 'retriever', 'requester', 'path')),
      ['/special', '/items'],
    )
  })

  test('`value_type: string` keeps a text that looks like something else', async () => {
    const typed = { ...name, value_type: 'string' }
    assert.deepEqual(names(await resolved(fromConfig(list('ids'), [typed]), { ids: [{ name: '2024' }] })), ['2024'])
    await assert.rejects(resolved(fromConfig(list('ids'), [name]), { ids: [{ name: '2024' }] }), {
      code: 'manifest/wrong-type',
    })
  })
})

describe('what does not come out as a stream', () => {
  test('two streams of one name are refused, made or written', async () => {
    const twice = fromManifest([{ name: 'a' }, { name: 'a' }], [name])
    await assert.rejects(resolved(twice), { code: 'manifest/duplicate-stream' })
    const one = fromManifest([{ name: 'a' }], [name])
    const both = loadManifest({ ...one.root, streams: [streamOf({ name: 'a' })] })
    await assert.rejects(resolved(both), { code: 'manifest/duplicate-stream' })
  })

  test('a number where text is wanted becomes text, in lists as well', async () => {
    const fields = [{ type: 'AddedFieldDefinition', path: ['x'], value: 'old' }]
    const template = { ...streamOf({}), transformations: [{ type: 'AddFields', fields }] }
    const field = (...rest: string[]) => ['transformations', '0', 'fields', '0', ...rest]
    const manifest = fromManifest(
      [{ name: 'a', year: '2024' }],
      [
        name,
        { field_path: field('value'), value: '{{ components_values.year }}' },
        { field_path: field('path', '0'), value: '{{ components_values.year }}' },
      ],
      template,
    )
    const [stream] = await resolved(manifest)
    const added = { type: 'AddedFieldDefinition', path: ['2024'], value: '2024' }
    assert.deepEqual(at(stream, 'transformations', 0, 'fields', 0), added)
  })

  test('a number or a boolean among parameters and headers becomes text', async () => {
    const manifest = fromManifest(
      [{ name: 'a', size: 5, isSorted: true }],
      [
        name,
        {
          field_path: path('request_parameters'),
          value: "{{ {'n': components_values.size} }}",
          create_or_update: true,
        },
        {
          field_path: path('request_headers'),
          value: "{{ {'x-sorted': components_values.isSorted} }}",
          create_or_update: true,
        },
      ],
    )
    const [stream] = await resolved(manifest)
    assert.deepEqual(at(stream, 'retriever', 'requester', 'request_parameters'), { n: '5' })
    assert.deepEqual(at(stream, 'retriever', 'requester', 'request_headers'), { 'x-sorted': 'True' })
  })

  test('a value that does not fit is reported with its place in the template', async () => {
    const manifest = fromManifest([{ name: 'a' }], [name, { field_path: path('http_method'), value: 'FETCH' }])
    await assert.rejects(resolved(manifest), (error: ConnectorError) => {
      assert.equal(error.code, 'manifest/invalid-value')
      assert.match(error.message, /^A stream made by "dynamic_stream_0" does not fit: .*FETCH/)
      assert.equal(error.at?.pointer, '/dynamic_streams/0/stream_template/retriever/requester/http_method')
      return true
    })
  })

  test('a component put in from outside has the place where it is put in the template', async () => {
    const wrong = { name: 'a', paginator: { type: 'DefaultPaginator' } }
    const mapping = {
      field_path: ['retriever', 'paginator'],
      value: '{{ components_values.paginator }}',
      create_or_update: true,
    }
    await assert.rejects(resolved(fromManifest([wrong], [name, mapping])), (error: ConnectorError) => {
      assert.equal(error.code, 'manifest/missing-field')
      assert.equal(error.at?.pointer, '/dynamic_streams/0/stream_template/retriever')
      return true
    })
  })

  test('a place below a value that is no object is refused', async () => {
    const mapping = { field_path: path('path', 'deep'), value: 'x', create_or_update: true }
    await assert.rejects(resolved(fromManifest([{ name: 'a' }], [name, mapping])), { code: 'manifest/invalid-value' })
  })

  test('lists that multiply without bound are refused', async () => {
    const many = Array.from({ length: 400 }, (_, index) => index)
    const manifest = fromConfig([list('a'), list('a')], [name])
    await assert.rejects(resolved(manifest, { a: many }), { code: 'plan/invalid-config' })
  })
})
