import { administrationPages } from './administration/routes.ts'
import { catalogPages } from './catalog/routes.ts'
import { entrancePages } from './entrance/routes.ts'
import type { Page } from './frame/page.ts'
import { guestsPages } from './guests/routes.ts'
import { mailingPages } from './mailing/routes.ts'
import { programmePages } from './programme/routes.ts'
import { reportingPages } from './reporting/routes.ts'
import { sellingPages } from './selling/routes.ts'
import { systemPages } from './system/routes.ts'

/** Holds every page of every folder. Where one path has a word and another an id, the word comes first. */
export const pages: readonly Page[] = (
  [
    ...systemPages,
    ...administrationPages,
    ...catalogPages,
    ...programmePages,
    ...guestsPages,
    ...entrancePages,
    ...sellingPages,
    ...mailingPages,
    ...reportingPages,
  ] as readonly Page[]
).toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))

function keyOf({ path }: Page): string {
  return path
    .split('/')
    .map(part => (part.startsWith('{') ? '1' : '0'))
    .join('')
}
