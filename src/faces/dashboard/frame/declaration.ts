import type { Permission } from '../users/roles.ts'
import type { IconName } from '../web/components/icon.tsx'
import type { Texts } from '../web/texts/texts.ts'

/** A link of the navigation. */
export interface NavigationEntry {
  icon: IconName
  text: (texts: Texts) => string
}

/** What every page declares. */
export interface Declaration {
  /** Below the dashboard: `/e/{event}/guests`. */
  path: string
  /** What its asker must be allowed, of pages about an account or an event. */
  permission?: Permission
  /** For the operator of the instance alone. */
  isOfInstance?: boolean
  /** For members who have all events of the account: what it makes would be out of sight of the others. */
  isOfAllEvents?: boolean
  navigation?: NavigationEntry
  /** Its form sends a file, which it takes itself, once it is known who sends it and that they may. */
  takesFile?: boolean
}

/** A page that the navigation names. */
export type NavigationPage = Declaration & { level: 'account' | 'event'; navigation: NavigationEntry }
