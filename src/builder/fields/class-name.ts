/** A name for the class of a custom component: `source_my_shop.components.MyShopPaginationStrategy`. */

/** @param type of the component: `CustomPaginationStrategy` */
export function proposedClassName(connector: string, type: string): string {
  const words = connector.split(/[-_]+/).filter((word) => word !== '')
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const own = /^[A-Za-z]/.test(pascal) ? pascal : `Api${pascal}`
  return `source_${words.join('_')}.components.${own}${type.replace(/^Custom/, '')}`
}
