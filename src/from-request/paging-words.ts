/** Parameters that seem to ask for a page. They stay as they are: whether they do, only the API knows. */
const words = new Set(
  `page pageno pagenum pagenumber pageindex pagesize perpage limit offset skip top take count size rows start from cursor after before
  startingafter endingbefore pagetoken nexttoken nextpagetoken continuationtoken continuation maxresults startat startindex pagelimit
  pageoffset first last scrollid marker`.split(/\s+/),
)

export function looksLikePaging(name: string): boolean {
  return words.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''))
}
