import { doorPages } from './door-routes.ts'
import type { Page } from './page.ts'
import { abstractPage } from './pages/abstract.tsx'
import { abstractsPage } from './pages/abstracts.tsx'
import { accessLogPage } from './pages/access-log.tsx'
import { accountSettings } from './pages/account-settings.tsx'
import {
  editAnnouncement,
  newAnnouncement,
  previewAnnouncement,
  previewNewAnnouncement,
} from './pages/announcement-form.tsx'
import {
  removeAnnouncement,
  resumeAnnouncement,
  sendAnnouncement,
  stopAnnouncement,
} from './pages/announcement-send.tsx'
import { announcementPage, announcementsPage } from './pages/announcements.tsx'
import { checkIn } from './pages/check-in.tsx'
import { checkInList } from './pages/check-in-list.tsx'
import { undoCheckIn, undoThisCheckIn } from './pages/check-in-undo.tsx'
import { editCode, generateCodes, newCode } from './pages/code-forms.tsx'
import { removeCode } from './pages/code-remove.tsx'
import { activateCode, codesCsv, codesPage, deactivateCode } from './pages/codes.tsx'
import { decideAbstracts } from './pages/decide-abstracts.tsx'
import { doorPayment } from './pages/door-payment.tsx'
import { duplicateEvent } from './pages/duplicate.tsx'
import { editEvent, newEvent, previewEvent } from './pages/event-form.tsx'
import { editEventPage } from './pages/event-page.tsx'
import { removePicture, uploadPicture } from './pages/event-picture.tsx'
import { eventsPage } from './pages/events.tsx'
import { forgotten } from './pages/forgotten.tsx'
import { guestPage } from './pages/guest.tsx'
import { cancelGuest } from './pages/guest-cancel.tsx'
import { checkInGuest, undoGuest, undoGuestAtOnce } from './pages/guest-check-in.tsx'
import { editGuest } from './pages/guest-edit.tsx'
import { eraseGuest } from './pages/guest-erase.tsx'
import { newGuest } from './pages/guest-new.tsx'
import { guestsPage } from './pages/guests.tsx'
import { cancelManyGuests } from './pages/guests-cancel.tsx'
import { guestsCsv, guestsWithLinksCsv } from './pages/guests-csv.ts'
import { home } from './pages/home.tsx'
import { guestImport, linesLeftOut, stopImport } from './pages/import.tsx'
import { importColumns } from './pages/import-columns.tsx'
import { startImport } from './pages/import-start.tsx'
import { pasteGuests, uploadGuests } from './pages/import-upload.tsx'
import { invite } from './pages/invite.tsx'
import { jobPage, stopJob } from './pages/job.tsx'
import { newKey, revokeKey } from './pages/key-forms.tsx'
import { keyList, showKey } from './pages/keys.tsx'
import { join, joinAs, reset, setup, signInLink } from './pages/links.tsx'
import { editMember, removeMember, resetMember } from './pages/member.tsx'
import {
  accountMessageHtml,
  accountMessagePage,
  messageHtml,
  messagePage,
  retryAccountMessage,
  retryMessage,
} from './pages/message.tsx'
import { messageText, messageTexts, ourMessageText, previewMessageText } from './pages/message-texts.tsx'
import { accountMessagesPage, messagesPage } from './pages/messages.tsx'
import { monthlyCsv, monthlyPage } from './pages/monthly.tsx'
import { orderPage } from './pages/order.tsx'
import { approveOrder, declineOrder, renewOrderLinks, resendOrder } from './pages/order-forms.tsx'
import { ordersPage } from './pages/orders.tsx'
import { overview } from './pages/overview.tsx'
import { owedPage } from './pages/owed.tsx'
import { paymentsPage } from './pages/payments.tsx'
import { editPool, newPool, removePool } from './pages/pools.tsx'
import { endOtherSessions, endSession, profile } from './pages/profile.tsx'
import { ownEmail, ownName, ownPassword } from './pages/profile-forms.tsx'
import { editQuestion, newQuestion, removeQuestion } from './pages/question-form.tsx'
import { previewQuestions } from './pages/question-preview.tsx'
import { askQuestion, moveQuestion, questionsPage, retireQuestion } from './pages/questions.tsx'
import { refundOfGuest, refundOfOrder } from './pages/refund.tsx'
import { registrationsCsv, registrationsJson, reportsPage } from './pages/reports.tsx'
import { recoveryCodes, secondFactor, secondFactorOff } from './pages/second-factor.tsx'
import { secondStep, signIn, signOut } from './pages/sign-in.tsx'
import { cancelEvent, completeEvent, publishEvent, unpublishEvent } from './pages/status.tsx'
import { backUpNow, checkDatabase, downloadBackup, systemPage } from './pages/system.tsx'
import { letMailGo, sendTestMail } from './pages/system-mail.tsx'
import { revokeInvitation, team } from './pages/team.tsx'
import { tellChange, tellNobody } from './pages/tell-change.tsx'
import { editType, newType, removeType } from './pages/ticket-form.tsx'
import { moveType, tickets } from './pages/tickets.tsx'
import { removeFromWaitlist, waitlistPage } from './pages/waitlist.tsx'
import { webhookPage, webhookSecret } from './pages/webhook.tsx'
import {
  disableWebhook,
  enableWebhook,
  pingWebhook,
  removeWebhook,
  rotateWebhook,
} from './pages/webhook-actions.tsx'
import { deliveryPage, retryDelivery } from './pages/webhook-delivery.tsx'
import { editWebhook, newWebhook } from './pages/webhook-form.tsx'
import { confirmRetry, retryFailedForm, retryProgress, stopRetry } from './pages/webhook-retries.tsx'
import { webhooksPage } from './pages/webhooks.tsx'
import { moneyPages } from './routes-of-money.ts'
import { statementPages } from './statement-routes.ts'

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [
  signIn,
  forgotten,
  secondStep,
  signOut,
  setup,
  join,
  joinAs,
  reset,
  signInLink,

  home,
  { ...home, path: '/' },
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
  monthlyPage,
  monthlyCsv,
  owedPage,
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

  paymentsPage,
  ...statementPages,
  webhooksPage,
  newWebhook,
  webhookPage,
  editWebhook,
  webhookSecret,
  enableWebhook,
  disableWebhook,
  pingWebhook,
  rotateWebhook,
  removeWebhook,
  retryFailedForm,
  confirmRetry,
  retryProgress,
  stopRetry,
  deliveryPage,
  retryDelivery,

  accountMessagesPage,
  accountMessagePage,
  accountMessageHtml,
  retryAccountMessage,

  accountSettings,
  accessLogPage,
  systemPage,
  sendTestMail,
  letMailGo,
  backUpNow,
  downloadBackup,
  checkDatabase,

  overview,
  publishEvent,
  unpublishEvent,
  completeEvent,
  cancelEvent,
  tellChange,
  tellNobody,
  duplicateEvent,

  guestsPage,
  guestsCsv,
  guestsWithLinksCsv,
  newGuest,
  ordersPage,
  ...moneyPages,
  orderPage,
  approveOrder,
  declineOrder,
  resendOrder,
  renewOrderLinks,
  refundOfOrder,
  cancelManyGuests,
  uploadGuests,
  pasteGuests,
  guestImport,
  importColumns,
  startImport,
  stopImport,
  linesLeftOut,
  // After those that have a word where this has an id.
  guestPage,
  editGuest,
  cancelGuest,
  eraseGuest,
  refundOfGuest,
  checkInGuest,
  undoGuest,
  undoGuestAtOnce,
  jobPage,
  stopJob,

  checkIn,
  doorPayment,
  checkInList,
  undoCheckIn,
  undoThisCheckIn,

  ...doorPages,

  tickets,
  questionsPage,
  newQuestion,
  previewQuestions,
  // After those that have a word where this has an id.
  editQuestion,
  moveQuestion,
  retireQuestion,
  askQuestion,
  removeQuestion,
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

  abstractsPage,
  decideAbstracts,
  abstractPage,

  messagesPage,
  messagePage,
  messageHtml,
  retryMessage,
  messageTexts,
  messageText,
  previewMessageText,
  ourMessageText,
  announcementsPage,
  newAnnouncement,
  previewNewAnnouncement,
  announcementPage,
  editAnnouncement,
  previewAnnouncement,
  sendAnnouncement,
  stopAnnouncement,
  resumeAnnouncement,
  removeAnnouncement,

  reportsPage,
  registrationsCsv,
  registrationsJson,

  editEventPage,
  uploadPicture,
  removePicture,

  editEvent,
  previewEvent,
]
