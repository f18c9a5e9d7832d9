/** Where requests, and with them secrets, are sent: the rule, the likely origin, and origins as they are typed. */
import { useInspection, usePreview } from '../session/use-inspection.ts'

/** The one rule for kept secrets and environment variables, in the words of docs/secrets.md. */
export const sendingRule = 'A secret is sent only to addresses that you allow for it, whatever the manifest says.'

/** Where the connector sends its requests, as far as the preview of its first stream shows. Null while it is not known. */
export function useLikelyOrigin(): string | null {
  const stream = useInspection()?.streams.find(({ runs, isTemplate }) => runs && !isTemplate)?.name ?? ''
  const url = usePreview(stream)?.requests[0]?.url
  if (url === undefined || !URL.canParse(url)) return null
  const { origin, protocol } = new URL(url)
  return /^https?:$/.test(protocol) ? origin : null
}

/** `https://a.example, https://b.example/` → origins; null where one is none. */
export function parseOrigins(text: string): string[] | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const origins = words.map((word) => {
    const url = URL.canParse(word) ? new URL(word) : null
    return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : null
  })
  return origins.includes(null) ? null : [...new Set(origins as string[])]
}
