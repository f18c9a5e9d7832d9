/** An answer without records → whether it counts more records than have come, so that empty pages may be part of the way. */
import { isObject } from '../../std/values/objects.ts'

/** Names under which APIs count all records, in letters only. */
const totals =
  /^(x?total|x?totalcount|totalresults|totalrecords|totalitems|totalelements|totalentries|totalhits|totalsize|odatacount|inlinecount|nbhits|numfound)$/

/** An object with more members is no envelope. */
const mostMembers = 100

/**
 * Looks only at the top of the body and at the objects there. A number that counts something else merely lets a read go
 * further before it is ended.
 */
export function countsMore(body: unknown, headers: Readonly<Record<string, string>>, received: number): boolean {
  const envelopes = isObject(body) ? [body, ...Object.values(body).filter(isObject)] : []
  return [headers, ...envelopes].some((members) => {
    const names = Object.keys(members)
    return names.length <= mostMembers && names.some((name) => isTotal(name) && Number(members[name]) > received)
  })
}

function isTotal(name: string): boolean {
  return totals.test(name.replace(/[^a-z]/gi, '').toLowerCase())
}
