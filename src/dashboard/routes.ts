import type { Page } from './page.ts'
import { editEvent, newEvent } from './pages/event-form.tsx'
import { eventsPage } from './pages/events.tsx'
import { home } from './pages/home.tsx'
import { guestImport, linesLeftOut, stopImport } from './pages/import.tsx'
import { importColumns } from './pages/import-columns.tsx'
import { startImport } from './pages/import-start.tsx'
import { pasteGuests, uploadGuests } from './pages/import-upload.tsx'
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

  uploadGuests,
  pasteGuests,
  guestImport,
  importColumns,
  startImport,
  stopImport,
  linesLeftOut,

  editEvent,
]
