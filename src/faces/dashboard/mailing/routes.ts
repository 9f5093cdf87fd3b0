import type { Page } from '#faces/dashboard/frame/page.ts'
import { announcementPage } from './announcement.tsx'
import {
  editAnnouncement,
  newAnnouncement,
  previewAnnouncement,
  previewNewAnnouncement,
} from './announcement-form.tsx'
import {
  removeAnnouncement,
  resumeAnnouncement,
  sendAnnouncement,
  stopAnnouncement,
  testAnnouncement,
} from './announcement-send.tsx'
import { announcementsPage } from './announcements.tsx'
import {
  accountMessageHtml,
  accountMessagePage,
  messageHtml,
  messagePage,
  retryAccountMessage,
  retryMessage,
} from './message.tsx'
import { messageText, ourMessageText, previewMessageText } from './message-texts.tsx'
import { accountMessagesPage, messagesPage } from './messages.tsx'
import { notifyChange, notifyNobody } from './notify-change.tsx'
import { messageTexts } from './text-list.tsx'

export const mailingPages: readonly Page[] = [
  accountMessagesPage,
  accountMessagePage,
  accountMessageHtml,
  retryAccountMessage,
  notifyChange,
  notifyNobody,
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
  testAnnouncement,
  stopAnnouncement,
  resumeAnnouncement,
  removeAnnouncement,
]
