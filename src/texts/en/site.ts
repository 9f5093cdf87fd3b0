/** How an organizer's own site shows pages. */
export const site = {
  origins: 'Sites that may show your pages',
  originsHelp:
    'One a line, at most 10, each with https:// and nothing behind its name, such as https://www.example.org. Nobody else can show your tickets in a frame.',
  snippets: 'Your dates on your own site',
  noOrigins:
    'First enter the address of your site above and save it: until then browsers show no frame there.',
  noOriginsYet: 'Browsers show no frame yet: your organization has named no site of its own.',
  dialog: 'A link',
  dialogAbout:
    'A link that opens a dialog on your page. Where scripts are blocked, it is a link to your page here.',
  inline: 'A frame',
  inlineAbout:
    'A frame that is as high as what is in it. Forms and payment open in the whole window, so that everybody sees who takes the money.',
  ofEvents: 'What shows the tickets of one event, or the dates of a series, is on its own page, under Share.',
  ofEvent: 'Tickets on your own site',
  toSites: 'Choose the sites',
  close: 'Close',
}
