import type { Page } from '#faces/dashboard/frame/page.ts'
import { editCode, generateCodes, newCode } from './code-forms.tsx'
import { removeCode } from './code-remove.tsx'
import { activateCode, codesCsv, codesPage, deactivateCode } from './codes.tsx'
import { duplicateEvent } from './duplicate.tsx'
import { archiveEvent, unarchiveEvent } from './event-archive.tsx'
import { deleteEvent } from './event-delete.tsx'
import { newEvent } from './event-form.tsx'
import { eventGeneral } from './event-general.tsx'
import { eventMails } from './event-mails.tsx'
import { editEventPage, previewEventPage } from './event-page.tsx'
import { removePicture, uploadPicture } from './event-picture.tsx'
import { eventSale } from './event-sale.tsx'
import { oldEventPage, oldEventPicture, oldPreview } from './event-settings.tsx'
import { eventWaitlist } from './event-waitlist.tsx'
import { eventsPage } from './events.tsx'
import { home } from './home.tsx'
import { removeAccountLogo, removeEventLogo, uploadAccountLogo, uploadEventLogo } from './logo-upload.tsx'
import { accountLook, eventLook } from './look.tsx'
import { overview } from './overview.tsx'
import { editPool, newPool, removePool } from './pools.tsx'
import { payEvent, publishAnyway, publishEvent } from './publish.tsx'
import { changeDates, repeatEvent } from './repeat.tsx'
import { repeatDates } from './repeat-dates.tsx'
import { publishSeries, renameSeries, seriesPage } from './series-page.tsx'
import { seriesPng, seriesShare, seriesSvg } from './series-share.tsx'
import { sharePage, sharePng, shareSvg } from './share.tsx'
import { cancelEvent, completeEvent, unpublishEvent } from './status.tsx'
import { editType, newType, removeType } from './ticket-form.tsx'
import { moveType, tickets } from './tickets.tsx'
import { removeFromWaitlist, waitlistPage } from './waitlist.tsx'

export const catalogPages: readonly Page[] = [
  home,
  { ...home, path: '/' },
  eventsPage,
  newEvent,
  overview,
  publishEvent,
  publishAnyway,
  payEvent,
  unpublishEvent,
  completeEvent,
  cancelEvent,
  archiveEvent,
  unarchiveEvent,
  deleteEvent,
  duplicateEvent,
  repeatEvent,
  repeatDates,
  changeDates,
  seriesPage,
  seriesShare,
  seriesSvg,
  seriesPng,
  publishSeries,
  renameSeries,
  sharePage,
  shareSvg,
  sharePng,
  tickets,
  codesPage,
  codesCsv,
  newCode,
  generateCodes,
  editCode,
  deactivateCode,
  activateCode,
  removeCode,
  newType,
  editType,
  moveType,
  removeType,
  newPool,
  editPool,
  removePool,
  waitlistPage,
  removeFromWaitlist,
  eventGeneral,
  editEventPage,
  previewEventPage,
  uploadPicture,
  removePicture,
  eventSale,
  eventWaitlist,
  eventMails,
  accountLook,
  eventLook,
  uploadAccountLogo,
  uploadEventLogo,
  removeAccountLogo,
  removeEventLogo,
  oldEventPage,
  oldEventPicture,
  oldPreview,
]
