import { fieldError } from '../../errors.ts'

const COMMON_PASSWORDS = new Set(
  `123456 1234567 12345678 123456789 1234567890 12345678910 0123456789 987654321 9876543210 87654321 654321
  000000 00000000 111111 1111111 11111111 112233 11223344 121212 123123 123123123 123321 123654 131313
  159753 222222 333333 444444 555555 666666 696969 777777 7777777 888888 88888888 999999 102030 147258369
  1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx qwe123 qweasd qweasdzxc qwerty qwerty1 qwerty12 qwerty123
  qwertyu qwertyuiop asdasd asdfgh asdfghjkl zxcvbn zxcvbnm q1w2e3r4 a1b2c3 a123456 aa123456 a12345678
  abc123 abcd1234 abcdef abcdefg abc12345 aaaaaa iloveyou password password1 password12 password123
  password1234 passw0rd p@ssw0rd p@ssword pass1234 passpass admin1 admin12 admin123 admin1234 administrator
  adminadmin welcome welcome1 welcome123 letmein letmein1 changeme changeme123 default secret
  monkey dragon football baseball basketball superman batman princess sunshine shadow master michael
  jordan23 charlie jessica ashley daniel thomas michelle nicole samsung computer internet google pokemon
  starwars trustno1 whatever freedom ginger summer killer flower cookie lovely test123 qwerty1234`.split(
    /\s+/,
  ),
)

export function isCommonPassword(password: string): boolean {
  return COMMON_PASSWORDS.has(password.toLowerCase())
}

export function refuseCommonPassword({ password, path }: { password: string; path: string }): void {
  if (!isCommonPassword(password)) return
  throw fieldError(path, 'This password is one of the most common. Please choose another.')
}
