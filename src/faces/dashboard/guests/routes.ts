import type { Page } from '#faces/dashboard/frame/page.ts'
import { guestPage } from './guest.tsx'
import { cancelGuest } from './guest-cancel.tsx'
import { checkInGuest, undoGuest, undoGuestAtOnce } from './guest-check-in.tsx'
import { editGuest } from './guest-edit.tsx'
import { eraseGuest } from './guest-erase.tsx'
import { newGuest } from './guest-new.tsx'
import { renewGuestLinks } from './guest-renew.tsx'
import { sendGuestTickets } from './guest-send.tsx'
import { guestTicketFile, guestTicketPage } from './guest-ticket.tsx'
import { guestsPage } from './guests.tsx'
import { cancelManyGuests } from './guests-cancel.tsx'
import { guestsCsv, guestsWithLinksCsv, guestsXlsx } from './guests-csv.ts'
import { sendManyTickets } from './guests-send.tsx'
import { guestImport, linesLeftOut, stopImport } from './import.tsx'
import { importColumns } from './import-columns.tsx'
import { startImport } from './import-start.tsx'
import { importTypes } from './import-types.tsx'
import { pasteGuests, uploadGuests } from './import-upload.tsx'
import { questionFormsAt } from './question-form.tsx'
import { questionsOfAbstracts, questionsOfOrders } from './question-place.ts'
import { previewQuestions } from './question-preview.tsx'
import { questionsAt } from './questions.tsx'

export const guestsPages: readonly Page[] = [
  guestsPage,
  guestsCsv,
  guestsXlsx,
  guestsWithLinksCsv,
  newGuest,
  cancelManyGuests,
  sendManyTickets,
  uploadGuests,
  pasteGuests,
  guestImport,
  importColumns,
  importTypes,
  startImport,
  stopImport,
  linesLeftOut,
  guestPage,
  editGuest,
  cancelGuest,
  sendGuestTickets,
  eraseGuest,
  renewGuestLinks,
  guestTicketPage,
  guestTicketFile,
  checkInGuest,
  undoGuest,
  undoGuestAtOnce,
  previewQuestions,
  ...[questionsOfOrders, questionsOfAbstracts].flatMap(place => [
    ...questionsAt(place),
    ...questionFormsAt(place),
  ]),
]
