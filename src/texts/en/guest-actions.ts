/** What is done about many guests at once, and about the data of people, as the access log says it. */
export const guestActions = {
  'import.check': 'Said which column is what',
  'import.start': 'Began an import of guests',
  'import.stop': 'Stopped an import of guests',
  'import.upload': 'Uploaded guests',
  'guests.forget': 'Forgot the guests of an event that was over long ago',
  'person.erase': 'Erased the personal data of a person',
}
