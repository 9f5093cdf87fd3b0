/**
 * Makes the unit of the package of the one that people install by hand.
 *
 * @param {string} unit
 */
export function makeUnit(unit) {
  const changes = [
    [
      /^#.*\n/,
      '# Turnout under systemd. Settings belong in /etc/turnout/turnout.conf, and changes of this file into: systemctl edit turnout\n',
    ],
    [/^(Description=.*)$/m, '$1\nDocumentation=man:turnout(1)'],
    [/^ExecStart=\/usr\/local\/bin\/turnout /m, 'ExecStart=/usr/bin/turnout '],
  ]
  return changes.reduce((text, [before, after]) => {
    if (!before.test(text)) throw new Error(`The unit has nothing like ${before}.`)
    return text.replace(before, after)
  }, unit)
}
