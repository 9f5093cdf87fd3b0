import type { Page } from './page.ts'
import { editEvent, newEvent } from './pages/event-form.tsx'
import { eventsPage } from './pages/events.tsx'
import { home } from './pages/home.tsx'
import { join, joinAs, reset, setup, signInLink } from './pages/links.tsx'
import { cancelEvent, completeEvent, overview, publishEvent, unpublishEvent } from './pages/overview.tsx'
import { secondStep, signIn, signOut } from './pages/sign-in.tsx'
import { backUpNow, checkDatabase, downloadBackup, systemPage } from './pages/system.tsx'
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
  systemPage,
  backUpNow,
  downloadBackup,
  checkDatabase,

  overview,
  publishEvent,
  unpublishEvent,
  completeEvent,
  cancelEvent,
  editEvent,
]
