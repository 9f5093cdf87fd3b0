import type { Picture } from '../events/pictures.ts'

/** The addresses of pages for visitors. Slugs need no escape. */
export const paths = {
  account: (account: string) => `/${account}/`,
  event: (account: string, event: string) => `/${account}/${event}/`,
  calendar: (account: string, event: string) => `/${account}/${event}/calendar.ics`,
  cover: (account: string, event: string, { hash }: Pick<Picture, 'hash'>) =>
    `/${account}/${event}/cover/${hash}`,
} as const
