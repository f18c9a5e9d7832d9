import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type LoadedManifest, loadManifest } from '../../../src/connector/load-manifest.ts'
import type { ConnectorError } from '../../../src/std/errors.ts'
import * as library from '../../../src/index.ts'
import { normalizeConfig, validateConfig } from '../../../src/engine/config/normalize-config.ts'
import { customToolsOf } from '../../../src/read.ts'
import { tempFolder } from '../../cli/shop.ts'
import { sourceOf, streamOf } from '../../helpers/manifests.ts'

type Rules = { config_migrations?: object[]; transformations?: object[]; validations?: object[] }

const secretKey = { type: 'string', airbyte_secret: true }
const withRules = (rules: Rules, folder?: string): LoadedManifest =>
  loadManifest(
    {
      ...sourceOf([streamOf({})]),
      spec: {
        type: 'Spec',
        connection_specification: { type: 'object', properties: { key: secretKey } },
        config_normalization_rules: { type: 'ConfigNormalizationRules', ...rules },
      },
    },
    folder === undefined ? {} : { folder },
  )

const migration = (...transformations: object[]) => ({ type: 'ConfigMigration', transformations })
const add = (path: string[], value: string, rest: object = {}) => ({
  type: 'ConfigAddFields',
  fields: [{ type: 'AddedFieldDefinition', path, value }],
  ...rest,
})
const remap = (field_path: string[], map: object) => ({ type: 'ConfigRemapField', field_path, map })
const remove = (field_pointers: string[][], rest: object = {}) => ({
  type: 'ConfigRemoveFields',
  field_pointers,
  ...rest,
})

const normalized = async (rules: Rules, config: Record<string, unknown>) => {
  const manifest = withRules(rules)
  return normalizeConfig(manifest, config, {})
}
/** What a list of transformations makes of a config. */
const after = async (config: Record<string, unknown>, ...transformations: object[]) =>
  (await normalized({ transformations }, config)).config

describe('the config before anything reads it', () => {
  test('migrations are kept, transformations are not', async () => {
    const rules = {
      config_migrations: [migration(add(['a'], '1'))],
      transformations: [add(['b'], '{{ config.a + 1 }}')],
    }
    const given = { x: 0 }
    assert.deepEqual(await normalized(rules, given), { config: { x: 0, a: 1, b: 2 }, migrated: { x: 0, a: 1 } })
    assert.deepEqual(given, { x: 0 })
  })

  test('a migration that changes nothing is none', async () => {
    const rules = { config_migrations: [migration(add(['a'], 'x', { condition: '{{ not config.get("a") }}' }))] }
    assert.equal((await normalized(rules, { a: 'y' })).migrated, null)
    assert.deepEqual((await normalized(rules, { b: 1 })).migrated, { b: 1, a: 'x' })
  })

  test('a change deep inside is kept too', async () => {
    const rules = { config_migrations: [migration(add(['credentials', 'auth_type'], 'key'))] }
    const given = { credentials: { key: 'k' } }
    assert.deepEqual((await normalized(rules, given)).migrated, { credentials: { key: 'k', auth_type: 'key' } })
    assert.deepEqual(given, { credentials: { key: 'k' } })
  })

  test('an empty config stays empty', async () => {
    assert.deepEqual(await normalized({ config_migrations: [migration(add(['a'], '1'))] }, {}), {
      config: {},
      migrated: null,
    })
  })
})

describe('ConfigAddFields', () => {
  test('makes what is missing on the way, and takes the path as it is written', async () => {
    assert.deepEqual(await after({ k: 'z' }, add(['a', 'b', 'c'], 'v')), { k: 'z', a: { b: { c: 'v' } } })
    assert.deepEqual(await after({ k: 'z' }, add(['l', '2'], 'v')), { k: 'z', l: [null, null, 'v'] })
    assert.deepEqual(await after({ k: 'z' }, add(['{{ config.k }}'], 'v')), { k: 'z', '{{ config.k }}': 'v' })
  })

  test('each field sees those before it, and the condition sees value and path', async () => {
    const fields = [
      { type: 'AddedFieldDefinition', path: ['a'], value: 'x' },
      { type: 'AddedFieldDefinition', path: ['b'], value: '{{ config.a }}!' },
    ]
    const condition = "{{ value == 'x' or path == ['b'] }}"
    assert.deepEqual(await after({ k: 1 }, { type: 'ConfigAddFields', fields, condition }), { k: 1, a: 'x', b: 'x!' })
  })

  test('a text that is a Python literal becomes that value', async () => {
    assert.deepEqual(await after({ o: '{"a": 1}' }, add(['o'], '{{ config.o }}')), { o: { a: 1 } })
    assert.deepEqual(await after({ o: '{"a": true}' }, add(['o'], '{{ config.o }}')), { o: '{"a": true}' })
  })

  test('a value in the way is an error that does not show it', async () => {
    await assert.rejects(after({ key: 's3cr3t-value' }, add(['key', 'b'], 'v')), (error: ConnectorError) => {
      assert.equal(error.code, 'plan/invalid-config')
      assert.match(error.message, /`key\.b`: `key` holds/)
      assert.doesNotMatch(error.message, /s3cr3t/)
      assert.match(error.at?.pointer ?? '', /^\/spec\/config_normalization_rules\/transformations\/0\/fields\/0/)
      return true
    })
  })
})

describe('ConfigRemapField', () => {
  test('replaces what the map has, and leaves the rest', async () => {
    assert.deepEqual(await after({ v: 'a' }, remap(['v'], { a: 'b' })), { v: 'b' })
    assert.deepEqual(await after({ v: 'x' }, remap(['v'], { a: 'b' })), { v: 'x' })
    assert.deepEqual(await after({ v: 1 }, remap(['v'], { 1: 'one' })), { v: 1 })
    assert.deepEqual(await after({ v: '1' }, remap(['v'], { 1: 'one' })), { v: 'one' })
    assert.deepEqual(await after({ v: ['a'] }, remap(['v'], { a: 'b' })), { v: ['a'] })
    assert.deepEqual(await after({ v: 'a' }, remap(['v', 'w'], { a: 'b' })), { v: 'a' })
    assert.deepEqual(await after({ w: 'a' }, remap(['v'], { a: 'b' })), { w: 'a' })
  })

  test('path, old and new values may be templates; other values stay as they are', async () => {
    assert.deepEqual(await after({ x: 'y', y: 'a' }, remap(['{{ config.x }}'], { a: 5 })), { x: 'y', y: 5 })
    assert.deepEqual(await after({ v: 'k', x: 'k' }, remap(['v'], { '{{ config.x }}': '{{ config.x }}2' })), {
      v: 'k2',
      x: 'k',
    })
    assert.deepEqual(await after({ v: 'a' }, remap(['v'], { a: { n: '{{ config.x }}' } })), {
      v: { n: '{{ config.x }}' },
    })
  })
})

describe('ConfigRemoveFields', () => {
  test('a condition that is null changes nothing', async () => {
    const condition = '{{ not config.credentials.get("email") and config.get("email") }}'
    const rules = {
      config_migrations: [migration(add(['credentials', 'email'], '{{ config["email"] }}', { condition }))],
    }
    const given = { credentials: { token: 't' } }
    assert.deepEqual(await normalized(rules, given), { config: given, migrated: null })
    const { config } = await normalized(rules, { ...given, email: 'a@b.c' })
    assert.deepEqual(config.credentials, { token: 't', email: 'a@b.c' })
    const ifSet = { condition: '{{ config.get("b") }}' }
    assert.deepEqual(await after({ a: 1 }, remove([['a']], ifSet)), { a: 1 })
    assert.deepEqual(await after({ a: 1, b: 1 }, remove([['a']], ifSet)), { b: 1 })
  })

  test('removes what the paths match, if its condition holds', async () => {
    assert.deepEqual(await after({ a: { b: 1, c: 2 } }, remove([['a', 'b'], ['z']])), { a: { c: 2 } })
    assert.deepEqual(await after({ a: { b: 1, c: 2 } }, remove([['a', '*']])), { a: {} })
    assert.deepEqual(await after({ a: [1, 2] }, remove([['a', '0']])), { a: [null, 2] })
    assert.deepEqual(await after({ z: 1 }, remove([['z']], { condition: '{{ config.z == 2 }}' })), { z: 1 })
  })
})

const validated = (validation: object, config: Record<string, unknown>, folder?: string) => {
  const manifest = withRules({ validations: [validation] }, folder)
  return validateConfig(manifest, config, customToolsOf(manifest))
}
const hasId = { type: 'ValidateAdheresToSchema', base_schema: { type: 'object', required: ['id'] } }
const at = (...field_path: string[]) => ({ type: 'DpathValidator', field_path, validation_strategy: hasId })

describe('validations', () => {
  test('a value passes, does not, or is not there', async () => {
    await validated(at('a'), { a: { id: 1 } })
    await validated(at('a'), {})
    await assert.rejects(validated(at('a'), { a: {} }), {
      code: 'plan/invalid-config',
      message: 'The config is not valid: `a` does not match its schema: `id` is missing.',
    })
    await assert.rejects(validated(at('a'), { a: null }), { code: 'plan/invalid-config' })
  })

  test('a star checks every member', async () => {
    await validated(at('a', '*'), { a: [] })
    await validated(at('a', '*'), { a: [{ id: 1 }, { id: 2 }] })
    await assert.rejects(validated(at('a', '*'), { a: [{ id: 1 }, {}] }), { code: 'plan/invalid-config' })
    await assert.rejects(validated(at('a?'), { a1: {}, a2: {} }), { code: 'manifest/invalid-value' })
  })

  test('a text is read as JSON, and never shown', async () => {
    await validated(at('a'), { a: '{"id": 1}' })
    await assert.rejects(validated(at('key'), { key: 's3cr3t' }), {
      code: 'plan/invalid-config',
      message: 'The config is not valid: `key` is text that is not JSON.',
    })
  })

  test('a predicate checks the value it calculates', async () => {
    const predicate = { type: 'PredicateValidator', value: '{{ config.n }}', validation_strategy: numbers }
    await validated(predicate, { n: 3 })
    await assert.rejects(validated(predicate, { n: 'three' }), { code: 'plan/invalid-config' })
    await assert.rejects(validated({ ...predicate, value: false }, { n: 3 }), { code: 'plan/invalid-config' })
  })
  const numbers = { type: 'ValidateAdheresToSchema', base_schema: '{"type": "number"}' }
})

describe("a connector's own classes", () => {
  const file = `import { ConfigTransformation, ValidationStrategy } from 'turnleaf'
    export class Upper extends ConfigTransformation {
      async transform(config) { config.name = config.name.toUpperCase() + this.parameters.suffix }
    }
    export class Replace extends ConfigTransformation { transform() { return { only: 'this' } } }
    export class Short extends ValidationStrategy {
      validate(value) { if (value.length > 3) throw new Error('too long: ' + value) }
    }`
  const writeClasses = async (folder: string) => {
    await mkdir(join(folder, 'source_declarative_manifest'))
    await writeFile(join(folder, 'source_declarative_manifest/components.js'), file)
  }
  const custom = (type: string, name: string, rest: object = {}) => ({
    type,
    class_name: `source_declarative_manifest.components.${name}`,
    ...rest,
  })

  test('change a copy of the config, or give back another', async () => {
    await using files = await tempFolder()
    await writeClasses(files.folder)
    const manifest = (name: string) =>
      withRules(
        { config_migrations: [migration(custom('CustomConfigTransformation', name, { suffix: '!' }))] },
        files.folder,
      )
    const given = { name: 'a' }
    const tools = customToolsOf(manifest('Upper'))
    assert.deepEqual((await normalizeConfig(manifest('Upper'), given, tools)).migrated, { name: 'A!' })
    assert.deepEqual(given, { name: 'a' })
    assert.deepEqual((await normalizeConfig(manifest('Replace'), given, tools)).config, { only: 'this' })
    await assert.rejects(normalizeConfig(manifest('Upper'), { x: 1 }, tools), { code: 'custom/class-failed' })
    await assert.rejects(normalizeConfig(manifest('Upper'), given, {}), { code: 'plan/no-folder' })
  })

  test('are found by the functions of the library: in the folder of the manifest', async () => {
    await using files = await tempFolder()
    await writeClasses(files.folder)
    const upper = custom('CustomConfigTransformation', 'Upper', { suffix: '!' })
    const short = custom('CustomValidationStrategy', 'Short')
    const manifest = withRules(
      {
        config_migrations: [migration(upper)],
        validations: [{ type: 'DpathValidator', field_path: ['name'], validation_strategy: short }],
      },
      files.folder,
    )
    const { config } = await library.normalizeConfig(manifest, { name: 'ab' })
    assert.deepEqual(config, { name: 'AB!' })
    assert.deepEqual(await library.validateConfig(manifest, config), [])
    const { config: long } = await library.normalizeConfig(manifest, { name: 'abc' }, {})
    await assert.rejects(library.validateConfig(manifest, long, {}), /too long: ABC!/)
  })

  test('a missing validation class is reported and skipped', async () => {
    const validations = [
      {
        type: 'DpathValidator',
        field_path: ['name'],
        validation_strategy: custom('CustomValidationStrategy', 'Elsewhere'),
      },
    ]
    await using files = await tempFolder()
    const manifest = withRules({ validations }, files.folder)
    const leftOut = await validateConfig(manifest, { name: 'a' }, customToolsOf(manifest))
    assert.equal(leftOut.length, 1)
    assert.match(leftOut[0] ?? '', /skipped.*validation strategy.*Elsewhere/)
  })

  test('say what is wrong with a value, without the secrets in it', async () => {
    await using files = await tempFolder()
    await writeClasses(files.folder)
    const short = {
      type: 'DpathValidator',
      field_path: ['key'],
      validation_strategy: custom('CustomValidationStrategy', 'Short'),
    }
    await validated(short, { key: 'abc' }, files.folder)
    await assert.rejects(validated(short, { key: 's3cr3t-value' }, files.folder), {
      code: 'plan/invalid-config',
      message: 'The config is not valid: `key` is refused: too long: ****',
    })
  })
})
