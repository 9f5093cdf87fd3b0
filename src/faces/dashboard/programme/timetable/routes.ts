import type { Page } from '#faces/dashboard/frame/page.ts'
import { addAbstracts, addText } from './add-slots.tsx'
import { programmePage } from './programme.tsx'
import { editRoom, moveRoom, newRoom, removeRoom, roomsPage } from './rooms.tsx'
import { sessionPage } from './session.tsx'
import { changeSession, newSession, removeSession } from './session-form.tsx'
import { changeSlot, moveSlot, placeAbstract, removeSlot } from './slot.tsx'
import { programmeWarnings } from './warnings.tsx'

export const timetablePages: readonly Page[] = [
  programmePage,
  programmeWarnings,
  roomsPage,
  newRoom,
  editRoom,
  moveRoom,
  removeRoom,
  newSession,
  sessionPage,
  changeSession,
  removeSession,
  addAbstracts,
  addText,
  changeSlot,
  moveSlot,
  removeSlot,
  placeAbstract,
]
