import type { Page } from '#faces/dashboard/frame/page.ts'
import { badgeLayout, stopBadges } from './badge-layout.tsx'
import { badgeFile, badgePrint, badgeSample, printBadge, undoBadges } from './badge-print.tsx'
import { badgesPage } from './badges.tsx'
import { checkIn } from './check-in.tsx'
import { checkInList } from './check-in-list.tsx'
import { undoCheckIn, undoThisCheckIn } from './check-in-undo.tsx'
import { decideScans } from './decide-scans.tsx'
import { changeDoor, newDoor, pairDoor, revokeDoor } from './door-forms.tsx'
import { doorsPage } from './doors.tsx'
import { entriesPage } from './entries.tsx'
import { paperList, paperLists } from './paper-lists.tsx'
import { admitScan, dismissScan, seeScan, undoScan } from './scan-forms.tsx'
import { scansPage } from './scans.tsx'

export const entrancePages: readonly Page[] = [
  checkIn,
  checkInList,
  undoCheckIn,
  undoThisCheckIn,
  doorsPage,
  entriesPage,
  newDoor,
  scansPage,
  decideScans,
  undoScan,
  admitScan,
  dismissScan,
  seeScan,
  paperLists,
  paperList,
  badgesPage,
  badgeLayout,
  stopBadges,
  badgeSample,
  badgePrint,
  badgeFile,
  undoBadges,
  printBadge,
  pairDoor,
  changeDoor,
  revokeDoor,
]
