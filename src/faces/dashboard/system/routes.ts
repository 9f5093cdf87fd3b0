import type { Page } from '#faces/dashboard/frame/page.ts'
import {
  backUpNow,
  backUpToPassOn,
  checkDatabase,
  downloadBackup,
  examineInstance,
  systemPage,
} from './system.tsx'
import { releaseMail, sendTestMail } from './system-mail.tsx'

export const systemPages: readonly Page[] = [
  systemPage,
  sendTestMail,
  releaseMail,
  backUpNow,
  backUpToPassOn,
  downloadBackup,
  checkDatabase,
  examineInstance,
]
