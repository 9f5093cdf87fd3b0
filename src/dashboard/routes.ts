import type { Page } from './page.ts'
import { duplicateEvent } from './pages/duplicate.tsx'
import { editEvent, newEvent, previewEvent } from './pages/event-form.tsx'
import { eventsPage } from './pages/events.tsx'
import { home } from './pages/home.tsx'
import { join, joinAs, reset, setup, signInLink } from './pages/links.tsx'
import { overview } from './pages/overview.tsx'
import { editPool, newPool, removePool } from './pages/pools.tsx'
import { secondStep, signIn, signOut } from './pages/sign-in.tsx'
import { cancelEvent, completeEvent, publishEvent, unpublishEvent } from './pages/status.tsx'
import { editType, newType, removeType } from './pages/ticket-form.tsx'
import { moveType, tickets } from './pages/tickets.tsx'

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
  { ...home, path: '/' },
  eventsPage,
  newEvent,

  overview,
  publishEvent,
  unpublishEvent,
  completeEvent,
  cancelEvent,
  duplicateEvent,

  tickets,
  newType,
  editType,
  moveType,
  removeType,
  newPool,
  editPool,
  removePool,

  editEvent,
  previewEvent,
]
