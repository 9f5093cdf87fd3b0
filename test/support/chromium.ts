/** Where Debian's package `chromium` puts the browser. */
export const CHROMIUM = '/usr/bin/chromium'
