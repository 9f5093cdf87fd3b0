export const eventSettings = {
  title: 'Settings',
  topics: {
    general: 'General',
    page: 'Page',
    look: 'Look',
    sale: 'Sale',
    waitlist: 'Waitlist',
    mails: 'Mails',
  },
  approval: 'Approval',
  legal: 'Terms and withdrawal',
  whoSells: 'Who sells',
  whoSellsAbout: 'All events of your organization have the same legal details.',
  toLegal: 'Legal details',
  toTexts: 'Texts of mails',
}
