import type { Page } from './page.ts'
import { checkIn } from './pages/check-in.tsx'
import { checkInList } from './pages/check-in-list.tsx'
import { undoCheckIn, undoThisCheckIn } from './pages/check-in-undo.tsx'
import { editEvent, newEvent } from './pages/event-form.tsx'
import { eventsPage } from './pages/events.tsx'
import { home } from './pages/home.tsx'
import { join, joinAs, reset, setup, signInLink } from './pages/links.tsx'
import { cancelEvent, completeEvent, overview, publishEvent, unpublishEvent } from './pages/overview.tsx'
import { secondStep, signIn, signOut } from './pages/sign-in.tsx'
import { removeFromWaitlist, waitlistPage } from './pages/waitlist.tsx'

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [
  signIn,
  secondStep,
  signOut,
  setup,
  join,
  joinAs,
  reset,
  signInLink,

  home,
  eventsPage,
  newEvent,

  overview,
  publishEvent,
  unpublishEvent,
  completeEvent,
  cancelEvent,
  checkIn,
  checkInList,
  undoCheckIn,
  undoThisCheckIn,
  waitlistPage,
  removeFromWaitlist,
  editEvent,
]
