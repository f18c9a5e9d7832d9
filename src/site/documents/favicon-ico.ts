/** The mark of the homepage, 32 × 32, as a PNG in an ICO: for clients that ask for /favicon.ico unbidden. */

/** Drawn by a browser from `favicon` in homepage/html.ts; base64, so that the bundle needs no extra file. */
export const faviconIco = Buffer.from(
  'AAABAAEAICAAAAEAIAB+BAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAABDNJREFUeJzEV29MG2UY/713FJyyCTjBwh' +
    'W2wSabdpubiTAqumQzmbpMZ8hkftkXExe/oGNx3bK/gjUyzZYli8tM/LQpC4nELaDJFJwbG3NuTkSNwFYohdECBQvFQu/O946WVXK9e6Em/Jo2' +
    'z733Ps/97nl+7/O+5TDH4DDHSNAcLQFvzrWt5oH5YAUhssRL93qG+5w40R5kdtMazNpbdIQD2Y9ZQpbRQiB/J3L8Jz2Vl1x6czntQZKPOEAIrP' +
    'SnjJekNsFedFjJaKy52iVQ3iGcnOPb2RIh00/PkAed/d3o8Lhww9mihEgiIAeEpbYNE+XSq31HmzxMBGSZcCRcnKdyVoAVa3KemLIb/rwGx4VP' +
    '8c9EUHmVdSYTqcWh54txqDEU7aNZAkVPiBPr8wtwakcFMlMywjFJoTAeqpg+T5OAkgGtcYnyutjaBF/gb7Bg8UIBFVvfAc+FJSCjPMtuW2ZIIF' +
    'YGzl47jyNfn0DZmfcxEgyABXkZOdhhey0cFzyNvduQQKwMRHCXCu3AV8cgSiJYUPrMS1FZIFsMCcTKwPaCzXh6sVW1b9xtQVX9abAgMSERyzNz' +
    'w7HxqLCnME+XQKwMcHS4cuu7WJKerV7X/foDqpsvgAWrhPutReY4iy4BvVUwL/EBfLxtD9IeSlGvTzacxZW2mzCCooWo+Gm6BIw08EhyKo6+bq' +
    'epNdG5Mg7WHkO7p0vPRVmG9+OLHKdLgAV5tAyHXylT7fHQBMq/dGBgxIeZIq7tuGjpGuxc/4ZqD44OYVf1hwhOjM8kRPzngdKCl/HiyudU+w4t' +
    'w8Ha42rDiotAtAiVGhth96Y3scqyXLWb2m/i5PdntKJGmZKsS4CKcDhiu319MILSZBwl5RDSHlOvz12vQ93thulRo0yO6BOANPXUNo8TLEhOep' +
    'AuTzsenjd5iPqo/jP80vWHoZ82AY67HrE7+jrBCnNKOqq2vQcTb1J1YK+pgnOgGzMm0GMa/JbW3q/Y52kqB0eHwYp8cy72b3lbtUeDY9j1hQND' +
    'Y8ruqa0B7aNSo1dc8Gz2Ato8bMqBorW7DZtWFv+nmehhEd2Glbm3un5HYHwMtzpb8bh5CX786yf1PtVYjf8yvRmTAEXyhvTbJJSwkwZK8vgH4P' +
    'S66Ub0JJLoxsKC1dkr4PL14o7Xhf6RIfr1od8/OEkA0jn/ZZc+AX9jb2C+zdJMX6SU5ox3DrhR33KJdsAcZKVmsHDAury1+Nn5G7z0wZGHY1oG' +
    'DHOaubdoIy+TajozNTJmSTPDKizD2kVWLExO1fUPUB1UfXN6SkfK4ZXqq8TtaKphIqBA2FeYRWTuczp9I2aByV4mq7pQTFEW3+p1XD2ljDK14u' +
    '7Kq27XB1deoNrdTCNclFnaYxRU7ZJwV1VdZe/UPcwCmfuKLZwo5c7UD7JkDXFixz1Hc11cBP5PzPm/438BAAD//9A3dNUAAAAGSURBVAMAXOGP' +
    'laPngqwAAAAASUVORK5CYII=',
  'base64',
)
