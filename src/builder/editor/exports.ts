/** The current text → a file to download. */
import type { ExportFormat } from '../../server/wire/export.ts'
import { askText } from '../api/ask.ts'
import { showNotice } from '../notice/notices.ts'
import { messageOf } from '../../std/text/message-of.ts'

export async function downloadExport(name: string, text: string, format: ExportFormat): Promise<void> {
  if (format === 'yaml') return downloadText(`${name}.yaml`, text)
  try {
    downloadText(`${name}.ts`, await askText('POST', '/v1/exports', { body: { name, text, format } }))
  } catch (error) {
    showNotice({ text: messageOf(error) })
  }
}

export function downloadText(file: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: file })
  link.click()
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
