/** What is inside a field becomes fields of the record. */
import { transformationTable } from './transforming.ts'

transformationTable('FlattenFields', [
  ['objects in objects', {}, '{"a":{"b":{"c":1}},"d":2}', '{"c":1,"d":2}'],
  ['of one name at two depths, the outer and earlier stays', {}, '{"id":1,"a":{"id":2}}', '{"id":1}'],
  ['a name that is taken gets its parent in front', {}, '{"a":{"id":2},"id":1}', '{"id":1,"a.id":2}'],
  ['the last field is taken apart first', {}, '{"a":{"x":1},"b":{"x":2}}', '{"x":2,"a.x":1}'],
  ['lists', {}, '{"l":[1,{"a":2},[3]]}', '{"l.0":1,"l.1.a":2,"l.2.0":3}'],
  ['after a list every name has its parent', {}, '{"a":{"b":1},"l":[1]}', '{"a.b":1,"l.0":1}'],
  ['lists left alone', { flatten_lists: false }, '{"l":[{"a":1}],"o":{"b":1}}', '{"l":[{"a":1}],"b":1}'],
  ['what is empty vanishes', {}, '{"o":{},"l":[],"x":1}', '{"x":1}'],
  ['an empty list kept', { flatten_lists: false }, '{"l":[]}', '{"l":[]}'],
  ['a whole float is a value', {}, '{"o":{"f":2.0}}', '{"f":2}'],
  ['a long decimal is a value', {}, '{"o":{"f":0.12345678901234567891}}', '{"f":0.12345678901234567891}'],
  ['a name of the prototype', {}, '{"__proto__":{"x":1},"o":{"__proto__":2}}', '{"__proto__":2,"x":1}'],
])

const record = '{"id":1,"a":{"x":1,"y":{"z":2}},"l":[{"p":1},{"q":2}]}'
const at = (...field_path: string[]) => ({ field_path })
const affixes = (prefix?: string, suffix?: string) => ({
  key_transformation: { type: 'KeyTransformation', ...(prefix !== undefined && { prefix }), ...(suffix && { suffix }) },
})

transformationTable('DpathFlattenFields', [
  ['next to the origin', at('a'), record, '{"id":1,"a":{"x":1,"y":{"z":2}},"l":[{"p":1},{"q":2}],"x":1,"y":{"z":2}}'],
  ['a path', at('a', 'y'), '{"a":{"y":{"z":2}}}', '{"a":{"y":{"z":2}},"z":2}'],
  ['instead of the origin', { ...at('a'), delete_origin_value: true }, '{"b":1,"a":{"x":1}}', '{"b":1,"x":1}'],
  ['instead of the record', { ...at('a'), replace_record: true }, record, '{"x":1,"y":{"z":2}}'],
  ['nothing replaces the record', { ...at('a'), replace_record: true }, '{"a":{},"b":1}', '{"a":{},"b":1}'],
  ['an empty origin is deleted', { ...at('a'), delete_origin_value: true }, '{"a":{},"b":1}', '{"b":1}'],
  ['a name that is taken leaves all as it was', at('a'), '{"id":1,"a":{"id":2,"b":3}}', '{"id":1,"a":{"id":2,"b":3}}'],
  ['the name of the origin is taken', { ...at('a'), delete_origin_value: true }, '{"a":{"a":1}}', '{"a":{"a":1}}'],
  ['a prefix', { ...at('a'), ...affixes('a_') }, '{"id":1,"a":{"id":2}}', '{"id":1,"a":{"id":2},"a_id":2}'],
  [
    'a prefix and a suffix',
    { ...at('a'), replace_record: true, ...affixes('p_', '_s') },
    '{"a":{"id":2}}',
    '{"p_id_s":2}',
  ],
  [
    'a suffix from a template',
    { ...at('b'), replace_record: true, ...affixes('1', '{{ config.k }}') },
    '{"b":{"x":1}}',
    '{"1xa":1}',
  ],
  ['a prefix of nothing', { ...at('b'), replace_record: true, ...affixes('0') }, '{"b":{"x":1}}', '{"x":1}'],
  ['a template in the path', at('{{ config.k }}'), '{"a":{"x":1}}', '{"a":{"x":1},"x":1}'],
  ['no object there', at('a'), '{"a":1}', '{"a":1}'],
  ['nothing there', { ...at('a'), delete_origin_value: true }, '{"b":1}', '{"b":1}'],
  ['a wildcard takes the first match', at('l', '*'), '{"l":[{"p":1},{"q":2}]}', '{"l":[{"p":1},{"q":2}],"p":1}'],
  ['a first match that is no object', at('*'), '{"id":1,"a":{"x":1}}', '{"id":1,"a":{"x":1}}'],
  [
    'a wildcard deletes every match',
    { ...at('*', '*'), delete_origin_value: true },
    '{"a":{"x":{"k":1}},"b":{"x":{"p":1}}}',
    '{"a":{},"b":{},"k":1}',
  ],
  [
    'an item of a list',
    { ...at('l', '0'), delete_origin_value: true },
    '{"l":[{"p":1},{"q":2}]}',
    '{"l":[null,{"q":2}],"p":1}',
  ],
  [
    'the last item of a list',
    { ...at('l', '-1'), delete_origin_value: true },
    '{"l":[{"p":1},{"q":2}]}',
    '{"l":[{"p":1}],"q":2}',
  ],
  ['a number is no name', at('1'), '{"1":{"x":1}}', '{"1":{"x":1}}'],
  ['a pattern', at('a?'), '{"ab":{"x":1}}', '{"ab":{"x":1},"x":1}'],
  ['the whole record, prefixed', { ...at(), ...affixes('p_') }, '{"a":1}', '{"a":1,"p_a":1}'],
  [
    'a name of the prototype',
    at('a'),
    '{"a":{"__proto__":{"x":1}}}',
    '{"a":{"__proto__":{"x":1}},"__proto__":{"x":1}}',
  ],
  ['a name of the prototype is not there', at('constructor'), '{"a":1}', '{"a":1}'],
])
