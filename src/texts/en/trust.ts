/** These texts are for the page where a phone gets the certificate of the box at the door. */
export const trust = {
  title: 'Trust this server',
  about:
    'This server made its certificate itself, so your phone does not know it yet. Install it once: then the scanner opens without a warning, and also while there is no network.',
  profile: 'Profile for iPhone and iPad',
  certificate: 'Certificate for all others',
  compare: 'Compare first',
  compareAbout:
    'The server printed the same SHA-256 fingerprint when it was started. This page may have come without encryption, so compare what your phone shows of the certificate itself: under “More Details” before you install, or under the trusted certificates afterwards. If it is another, do not trust it.',
  ios: 'iPhone and iPad',
  iosSteps: (name: string): readonly string[] => [
    'In Safari, tap “Profile for iPhone and iPad” above, then “Allow”.',
    'Open Settings. Tap “Profile Downloaded” at the top, then “Install”.',
    `In Settings, go to General, About, Certificate Trust Settings, and switch on “${name}”. Without this step it does nothing.`,
  ],
  android: 'Android',
  androidSteps: [
    'Tap “Certificate for all others” above. The file turnout.crt is saved.',
    'Open Settings and search for “CA certificate”. It is under Security, Encryption & credentials, Install a certificate.',
    'Choose “CA certificate”, then “Install anyway”, and the file turnout.crt among the downloads.',
    'Use Chrome: Firefox does not ask the phone which certificates it trusts.',
  ] as readonly string[],
  computers: 'Computers',
  windows:
    'Windows: open the file, choose “Install Certificate”, and place it in “Trusted Root Certification Authorities”.',
  mac: 'Mac: open the profile, then install it in System Settings under Device Management; or add the certificate to Keychain Access and set it to “Always Trust”.',
  next: 'Then open the scanner',
  without:
    'Not installed? The scanner and its camera work as well, once you have passed the warning of your browser. But reloaded without the network, it does not come back.',
  afterwards:
    'It speaks for this server only, and its key was destroyed when it was made. You can remove it after the event where you installed it.',
}
