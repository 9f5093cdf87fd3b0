import type { Page } from './page.ts'
import { abstractPage } from './pages/abstract.tsx'
import { abstractsPage } from './pages/abstracts.tsx'
import { decideAbstracts } from './pages/decide-abstracts.tsx'
import { editEvent, newEvent } from './pages/event-form.tsx'
import { eventsPage } from './pages/events.tsx'
import { home } from './pages/home.tsx'
import { join, joinAs, reset, setup, signInLink } from './pages/links.tsx'
import { monthlyCsv, monthlyPage } from './pages/monthly.tsx'
import { cancelEvent, completeEvent, overview, publishEvent, unpublishEvent } from './pages/overview.tsx'
import { registrationsCsv, registrationsJson, reportsPage } from './pages/reports.tsx'
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
  monthlyPage,
  monthlyCsv,

  overview,
  publishEvent,
  unpublishEvent,
  completeEvent,
  cancelEvent,
  abstractsPage,
  decideAbstracts,
  abstractPage,
  reportsPage,
  registrationsCsv,
  registrationsJson,
  editEvent,
]
