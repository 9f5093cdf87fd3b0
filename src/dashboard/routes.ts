import type { Page } from './page.ts'
import { accessLogPage } from './pages/access-log.tsx'
import { accountSettings } from './pages/account-settings.tsx'
import { editEvent, newEvent } from './pages/event-form.tsx'
import { eventsPage } from './pages/events.tsx'
import { home } from './pages/home.tsx'
import { invite } from './pages/invite.tsx'
import { newKey, revokeKey } from './pages/key-forms.tsx'
import { keyList, showKey } from './pages/keys.tsx'
import { join, joinAs, reset, setup, signInLink } from './pages/links.tsx'
import { editMember, removeMember, resetMember } from './pages/member.tsx'
import { cancelEvent, completeEvent, overview, publishEvent, unpublishEvent } from './pages/overview.tsx'
import { endOtherSessions, endSession, profile } from './pages/profile.tsx'
import { ownEmail, ownName, ownPassword } from './pages/profile-forms.tsx'
import { recoveryCodes, secondFactor, secondFactorOff } from './pages/second-factor.tsx'
import { secondStep, signIn, signOut } from './pages/sign-in.tsx'
import { revokeInvitation, team } from './pages/team.tsx'

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
  profile,
  ownName,
  ownEmail,
  ownPassword,
  secondFactor,
  secondFactorOff,
  recoveryCodes,
  endSession,
  endOtherSessions,

  eventsPage,
  newEvent,
  team,
  invite,
  revokeInvitation,
  editMember,
  removeMember,
  resetMember,
  keyList,
  newKey,
  showKey,
  revokeKey,
  accountSettings,
  accessLogPage,

  overview,
  publishEvent,
  unpublishEvent,
  completeEvent,
  cancelEvent,
  editEvent,
]
