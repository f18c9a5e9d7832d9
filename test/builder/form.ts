/** The parts of a form, as a person finds them. */
import type { Locator, Page } from 'playwright-core'

export function section(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}
