/** Shown where a secret is. */
export const hidden = '••••'
