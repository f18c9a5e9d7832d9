/** JSON text ↔ values that keep every digit: whole floats stay floats, long numbers stay whole. */
export {
  comesBack,
  exactNumber,
  Float,
  float,
  integer,
  LongDecimal,
  plainFloat,
  plainNumbers,
  withPlainNumbers,
} from './json/exact-numbers.ts'
export { type ParsedJson, parseJson } from './json/parse-json.ts'
export { stringifyJson } from './json/stringify-json.ts'
