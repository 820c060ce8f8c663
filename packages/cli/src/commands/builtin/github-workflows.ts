/**
 * The workflows that `/setup-github` writes. Text of strangers (a diff, a comment) reaches the program by a file or a
 * variable, never inside a script; the program runs read-only, and only the step after it can write to GitHub.
 */

/** The program is not in a registry, so a repository variable names what to install. */
const INSTALL = `
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Install gemini
        run: npm install -g "$PACKAGE"
        env:
          # A tarball of "npm run pack": a path in this repository, an address, or a name in your registry.
          PACKAGE: \${{ vars.GEMINI_CLI_PACKAGE }}`;

const ASK_ENVIRONMENT = `
          GEMINI_API_KEY: \${{ secrets.GEMINI_API_KEY }}
          GEMINI_CLI_TRUST_WORKSPACE: 'true'`;

const REVIEW = `# Reviews each pull request of this repository, and writes the result as a comment.
name: Gemini review
on:
  pull_request:
    types: [opened, reopened, ready_for_review]
permissions:
  contents: read
  pull-requests: write
jobs:
  review:
    # Pull requests of forks get no secrets.
    if: github.event.pull_request.head.repo.full_name == github.repository && !github.event.pull_request.draft
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false${INSTALL}
      - name: Review
        run: |
          git diff "$BASE...HEAD" > "$RUNNER_TEMP/changes.diff"
          gemini --max-time 600 -p "Review this change: name faults with file and line, the worst first. Say so when there are none." \\
            < "$RUNNER_TEMP/changes.diff" > "$RUNNER_TEMP/review.md"
        env:
          BASE: \${{ github.event.pull_request.base.sha }}${ASK_ENVIRONMENT}
      - name: Comment
        run: gh pr comment "$NUMBER" --body-file "$RUNNER_TEMP/review.md"
        env:
          NUMBER: \${{ github.event.pull_request.number }}
          GH_TOKEN: \${{ github.token }}
          GH_REPO: \${{ github.repository }}
`;

const ANSWER = `# Answers comments on issues that begin with "@gemini", from people who may write to this repository.
name: Gemini answer
on:
  issue_comment:
    types: [created]
permissions:
  contents: read
  issues: write
jobs:
  answer:
    if: >-
      startsWith(github.event.comment.body, '@gemini') && !github.event.issue.pull_request &&
      contains(fromJSON('["OWNER", "MEMBER", "COLLABORATOR"]'), github.event.comment.author_association)
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false${INSTALL}
      - name: Answer
        run: |
          printf '%s\\n\\n%s\\n' "$TITLE" "$QUESTION" |
            gemini --max-time 600 -p "Answer the question of this comment about the repository." > "$RUNNER_TEMP/answer.md"
        env:
          TITLE: \${{ github.event.issue.title }}
          QUESTION: \${{ github.event.comment.body }}${ASK_ENVIRONMENT}
      - name: Comment
        run: gh issue comment "$NUMBER" --body-file "$RUNNER_TEMP/answer.md"
        env:
          NUMBER: \${{ github.event.issue.number }}
          GH_TOKEN: \${{ github.token }}
          GH_REPO: \${{ github.repository }}
`;

/** By file name in `.github/workflows`. */
export const WORKFLOWS: Readonly<Record<string, string>> = {
  'gemini-review.yml': REVIEW,
  'gemini-answer.yml': ANSWER,
};
