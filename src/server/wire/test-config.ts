/** Named test configs, the store they may be kept in, and the environment variables they may refer to. */
import { z } from 'zod'
import { config } from './inspection.ts'

export const testConfigName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 _.-]{0,39}$/, 'letters, digits, spaces, `.`, `-` and `_`, at most 40')
  .describe('The name of the test config.')

export const variableName = z
  .string()
  .regex(/^[A-Za-z_]\w{0,199}$/, 'letters, digits and `_`')
  .describe('The name of the environment variable.')

export const origin = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text, {
    message: 'an origin such as https://api.example.com',
  })
  .describe('Scheme, host and port.')

const origins = z.array(origin).max(20).describe('Where secrets may be sent; nowhere else.')

const version = z.string().describe('Changes with each change of the test config.')

export const testConfig = z
  .object({
    name: testConfigName,
    version,
    values: config.describe('The values. In place of each secret there is a reference: `${stored:…}`.'),
    origins,
  })
  .meta({ id: 'TestConfig' })

export const testConfigToKeep = z
  .object({
    values: config.describe('The values. A reference `${stored:…}` keeps the secret that it refers to.'),
    text: z.string().describe('The manifest: it says which values are secrets.'),
    origins,
    basedOn: version.nullable().describe('The version that was changed; null for a new test config.'),
  })
  .meta({ id: 'TestConfigToKeep' })

export const storeStatus = z
  .object({
    state: z.enum(['none', 'locked', 'unlocked', 'damaged']),
    key: z.enum(['passphrase', 'keychain']).nullable().describe('Null where there is no store that can be read.'),
    hasKeychain: z.boolean().describe('Whether a store with the keychain of the system can be created.'),
    mayAllow: z.boolean().describe('Whether the page may allow environment variables.'),
  })
  .meta({ id: 'SecretStoreStatus' })

const passphrase = z.string().max(1000)

export const storeToCreate = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('passphrase'), passphrase: passphrase.describe('At least 8 characters.') }),
    z.object({ kind: z.literal('keychain') }),
  ])
  .meta({ id: 'SecretStoreToCreate' })

export const storeToUnlock = z
  .object({ passphrase: passphrase.optional().describe('Of a store that has one.') })
  .meta({ id: 'SecretStoreToUnlock' })

export const foundVariables = z
  .object({
    variables: z.array(
      z.object({
        input: z.string().describe('The input whose value refers to it.'),
        name: variableName,
        origins,
        problem: z.string().nullable().describe('Why it cannot be used; null where it can.'),
      }),
    ),
  })
  .meta({ id: 'FoundVariables' })

export type TestConfig = z.output<typeof testConfig>
export type SecretStoreStatus = z.output<typeof storeStatus>
export type TestConfigToKeep = z.input<typeof testConfigToKeep>
export type FoundVariables = z.output<typeof foundVariables>
