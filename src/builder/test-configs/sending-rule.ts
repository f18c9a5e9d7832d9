/** The one rule for kept secrets and environment variables, in the words of docs/secrets.md. */
export const sendingRule = 'A secret is sent only to addresses that you allow for it, whatever the manifest says.'
