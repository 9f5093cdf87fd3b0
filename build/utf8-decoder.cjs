// In the place of iconv-lite, which brings half a megabyte of tables: what reads forms decodes UTF-8 alone, and this throws at any other.
const { StringDecoder } = require('node:string_decoder')

exports.getDecoder = encoding => new StringDecoder(encoding)
