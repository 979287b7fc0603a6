/** The plan of the replays: rules for every task, details, a dependency, a final wave. */
export const PLAN_PATH = ".boulder/plans/auth-rewrite.md"

const PLAN = `# Move the login to sessions that can be revoked

## Context

The shop signs a token at login and cannot take it back. From now on a login opens a session in the
database, and the cookie holds its id.

## Must NOT have

- No change to anything below \`src/billing\`
- No new dependency

## TODOs

- [ ] 1. Add the sessions table
  **What to do**: \`migrations/004-sessions.sql\`: id, user_id, created_at, revoked_at. Times in UTC.
  **Acceptance**: \`node scripts/migrate.js --check\` prints \`ok\`
- [ ] 2. Open a session at login
  **What to do**: \`src/login/route.js\` opens a session and sets the cookie \`sid\`. A wrong mail and a
  wrong password give the same answer.
  **Acceptance**: \`npm test\` passes
- [ ] 3. Limit the rate of logins
  **What to do**: \`src/login/limit.js\`: five tries a minute and address, then 429.
- [ ] 4. Revoke sessions
  **What to do**: \`src/login/revoke.js\` and a button on the account page.
  **Depends on**: 2
- [ ] 5. Tell the user by mail of a new login
  **What to do**: \`src/login/mail.js\`, by the SMTP server of \`SMTP_URL\` in \`.env\`
- [ ] 6. Write the docs
  **What to do**: \`docs/login.md\`, one page

## Final Verification Wave

- [ ] F1. **Plan compliance**: every task does what the plan says, and nothing that it must not
- [ ] F2. **Code review**: errors, names, dead code
`

/** The plan with the boxes of these labels ticked. */
export function planWith(...labels: readonly string[]): string {
  return labels.reduce((text, label) => text.replace(`- [ ] ${label}.`, `- [x] ${label}.`), PLAN)
}

export const FILES: Readonly<Record<string, string>> = {
  [PLAN_PATH]: PLAN,
  "package.json":
    '{\n  "name": "shop",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  "README.md": "# shop\n\nA small shop: `src/login` and `src/billing`.\n",
  "scripts/migrate.js": 'console.log("ok")\n',
  "migrations/003-orders.sql": "CREATE TABLE orders (id TEXT PRIMARY KEY, total INTEGER);\n",
  "src/login/route.js":
    'import { sign } from "./token.js"\n\n/** POST /login: mail and password in, a signed token out. */\nexport function login({ mail, password }, users) {\n  const user = users.find((one) => one.mail === mail)\n  if (user === undefined || user.password !== password) return { status: 401 }\n  return { status: 200, cookie: "token=" + sign(user.id) }\n}\n',
  "src/login/token.js": 'export const sign = (id) => Buffer.from(id).toString("base64url")\n',
  "test/login.test.js":
    'import assert from "node:assert"\nimport { test } from "node:test"\nimport { login } from "../src/login/route.js"\n\ntest("a wrong mail and a wrong password give the same answer", () => {\n  assert.deepEqual(login({ mail: "x", password: "y" }, []), { status: 401 })\n})\n',
}
