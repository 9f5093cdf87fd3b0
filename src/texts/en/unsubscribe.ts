/** These texts are for the page that ends announcements. */
export const unsubscribe = {
  title: 'No more announcements?',
  about: (organizer: string) => `${organizer} will send no more announcements to this address:`,
  submit: 'Send me no more',
  done: 'You get no more announcements',
  doneAbout: (organizer: string) => `${organizer} sends no more announcements to this address:`,
  others: 'What concerns your own registrations still reaches you.',
  unknown: 'This link is not whole',
  unknownAbout: 'Open it from the mail itself, or answer the mail and ask for it.',
}
