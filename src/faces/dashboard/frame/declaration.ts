import type { IconName } from '#machinery/web/components/icon.tsx'
import type { Permission } from '#product/administration/users/roles.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { Texts } from '#texts/texts.ts'

/** A link of the navigation. */
export interface NavigationEntry {
  icon: IconName
  text: (texts: Texts) => string
  /** Says for which events the entry is shown. The page itself stays where it is. The default is all events. */
  isShown?: (event: EventDetails) => boolean
}

/** What every page declares. */
export interface Declaration {
  /** The path below the dashboard, such as `/e/{event}/guests`. */
  path: string
  /** What the user must be allowed to do. Only pages about an account or an event have it. */
  permission?: Permission
  /** Only operators of the instance may see the page. */
  isOfInstance?: boolean
  /** Only members who have all events of the account may see the page. The others would not see what it makes. */
  isOfAllEvents?: boolean
  navigation?: NavigationEntry
  /** The path of the page in the navigation that this page belongs to, where its own path does not begin with it. */
  belongsTo?: string
  /** Its form sends a file. The page reads it itself, after the gate knows who sends it and that they may. */
  takesFile?: boolean
}

/** A page that the navigation names. */
export type NavigationPage = Declaration & { level: 'account' | 'event'; navigation: NavigationEntry }

export interface Navigation {
  /** The pages that it names, in its order. */
  entries: readonly NavigationPage[]
  /** The path of the entry that each page marks, by the path of the page. */
  entryOf: ReadonlyMap<string, string>
}
