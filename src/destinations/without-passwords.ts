/** `postgres://me:secret@host/db` → `postgres://me:…@host/db`, anywhere in the text. */
export function withoutPasswords(text: string): string {
  return text.replace(/(:\/\/[^\s:/@]*):\S*@/g, '$1:…@').replace(/([?&]password=)[^\s&'"]*/gi, '$1…')
}
