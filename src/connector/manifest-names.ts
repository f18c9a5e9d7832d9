/** What the manifest of a connector may be called in its folder; the first is what new ones are called. */
export const manifestNames = ['manifest.yaml', 'manifest.yml', 'manifest.json'] as const
