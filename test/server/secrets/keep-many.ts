/** A process of its own that keeps many test configs: `keep-many.js HOME PREFIX COUNT`. */
import { openSecretStore } from '../../../src/server/secrets/secret-store.ts'
import { openTestConfigs, type StoreContent } from '../../../src/server/secrets/test-configs.ts'

const [home = '', prefix = '', count = '0'] = process.argv.slice(2)
const store = openSecretStore<StoreContent>({ home, keychain: null, empty: {} })
await store.unlock('correct horse')
const configs = openTestConfigs(store, false)
for (let at = 0; at < Number(count); at++) {
  const values = { api_key: `${prefix}-${at}` }
  await configs.keep({ connector: 'shop', name: `${prefix}-${at}`, values, text: '', origins: [], basedOn: null })
}
