/** What every document of the site is made from; all of it configuration, none of it from a request. */

export type SiteFacts = {
  /** Origin of the site, without a slash at the end. */
  readonly baseUrl: string
  /** Origin of the API, without a slash at the end. */
  readonly apiUrl: string
  /** Version of the package. */
  readonly version: string
}
