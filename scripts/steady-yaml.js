/**
 * js-yaml, four times as fast on Node 20. There an object that a literal makes from a spread and then more members gets a hidden
 * class of its own, each time from the ninth on, and all that works with it is slow. So js-yaml makes the state of its parser:
 * with its members named before the spread, all have one class.
 */

/** @param id the path of a module */
export function isYamlParser(id) {
  return id.endsWith('js-yaml.mjs')
}

/** The text of js-yaml → the text to run in its place. */
export function steadyYaml(code) {
  const spread = 'const state = {\n\t\t...DEFAULT_PARSER_OPTIONS,'
  if (!code.includes(spread))
    throw new Error('js-yaml has changed how its parser starts: is `steadyYaml` still needed?')
  return code.replace(spread, spread.replace('...', 'filename: void 0,\n\t\tmaxDepth: void 0,\n\t\t...'))
}
