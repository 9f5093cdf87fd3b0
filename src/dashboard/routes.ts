import type { Page } from './page.ts'
import { editEvent, newEvent } from './pages/event-form.tsx'
import { eventsPage } from './pages/events.tsx'
import { guestPage } from './pages/guest.tsx'
import { cancelGuest } from './pages/guest-cancel.tsx'
import { checkInTicket, undoAtOnce, undoCheckIn } from './pages/guest-check-in.tsx'
import { editGuest } from './pages/guest-edit.tsx'
import { eraseGuest } from './pages/guest-erase.tsx'
import { newGuest } from './pages/guest-new.tsx'
import { guestsPage } from './pages/guests.tsx'
import { cancelManyGuests } from './pages/guests-cancel.tsx'
import { guestsCsv } from './pages/guests-csv.ts'
import { home } from './pages/home.tsx'
import { jobPage, stopJob } from './pages/job.tsx'
import { join, joinAs, reset, setup, signInLink } from './pages/links.tsx'
import { cancelEvent, completeEvent, overview, publishEvent, unpublishEvent } from './pages/overview.tsx'
import { secondStep, signIn, signOut } from './pages/sign-in.tsx'

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
  guestsPage,
  guestsCsv,
  newGuest,
  cancelManyGuests,
  // After those that have a word where this has an id.
  guestPage,
  editGuest,
  cancelGuest,
  eraseGuest,
  checkInTicket,
  undoCheckIn,
  undoAtOnce,
  jobPage,
  stopJob,
  editEvent,
]
