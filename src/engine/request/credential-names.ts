/** The one list of names that carry credentials, where requests look for it. */
export { isCredentialName, isSignatureName } from '../plan/credential-names.ts'
