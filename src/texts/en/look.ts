import { count } from './page.ts'

/** How the pages of an organizer look to visitors. */
export const look = {
  title: 'Look',
  logo: 'Logo',
  logoAbout:
    'At the head of your pages, mails and tickets, and in the tabs of browsers. It stands on white, so that it can be read in the dark too.',
  noLogo: 'There is none: the name stands there instead.',
  isOfOrganization: 'This is the logo of your organization.',
  addLogo: 'Upload a logo',
  replaceLogo: 'Replace it',
  removeLogo: 'Remove it',
  file: 'File',
  fileHelp:
    'PNG, JPEG or WebP, at most 1 MB and 4,096 pixels a side. 480 × 144 pixels are enough; larger ones are made smaller.',
  upload: 'Upload',
  uploadLater: (dates: number) =>
    count(dates, {
      one: 'Upload for this date and the later one (#)',
      other: 'Upload for this date and the later ones (#)',
    }),
  removeLater: (dates: number) =>
    count(dates, { one: 'Take it off the later date (#) too', other: 'Take it off the later dates (#) too' }),
  colourFrom: 'Colour of links and buttons',
  account: { above: 'Turnout’s blue', own: 'A colour of your own' },
  event: { above: 'As the organization', own: 'A colour of its own' },
  colour: 'Colour',
  colourHelp:
    'It becomes darker or lighter where it could not be read: each link and button has enough contrast, in the light and in the dark.',
  samples: 'What is made of the saved colour:',
  light: 'In the light',
  dark: 'In the dark',
  button: 'Register',
}
