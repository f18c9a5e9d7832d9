/** The mark of the product: for headers, and as an icon. */

const sheet = 'M5 3h9a7 7 0 0 1 7 7v11h-9a7 7 0 0 1-7-7z'
const vein = 'M9.5 7.500 21 21'

/** For the header, in the colours of the page. */
export const logo = `<svg class="logo" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" aria-hidden="true"><path class="logo-fill" d="${sheet}"/><path d="${vein}" stroke-linecap="round"/></svg>`

/** For `/favicon.svg`: brings its own colours, light and dark. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#1d7a3c" stroke-width="2" stroke-linejoin="round"><style>@media (prefers-color-scheme: dark) { svg { stroke: #74cf8a } }</style><path d="${sheet}"/><path d="${vein}" stroke-linecap="round"/></svg>
`
