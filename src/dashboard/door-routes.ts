import type { Page } from './page.ts'
import { newDoor, pairDoor, revokeDoor } from './pages/door-forms.tsx'
import { doorsPage } from './pages/doors.tsx'
import { paperList, paperLists } from './pages/paper-lists.tsx'
import { admitScan, dismissScan, seeScan, undoScan } from './pages/scan-forms.tsx'
import { scansPage } from './pages/scans.tsx'

/** The pages of doors, and of what they have scanned. */
export const doorPages: readonly Page[] = [
  doorsPage,
  newDoor,
  scansPage,
  undoScan,
  admitScan,
  dismissScan,
  seeScan,
  paperLists,
  paperList,
  // After those that have a word where this has an id.
  pairDoor,
  revokeDoor,
]
