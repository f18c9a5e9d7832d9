/** The engine's door: manifest in, pages of records out; the caller brings network, clock and custom classes. */
export { checkManifest } from './manifest/check.ts'
export type { Manifest } from './manifest/manifest.ts'
export { type OpenStream, openStream, type StreamOptions, type Tools } from './open-stream.ts'
export type { Page, Receipt } from './page.ts'
export { planStream } from './plan/stream.ts'
export { type ReadOptions, readPages } from './read.ts'
export { type Network, openNetwork } from './response/send.ts'
export { compileTemplate, type Template } from './template/template.ts'
