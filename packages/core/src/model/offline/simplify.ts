/**
 * Reduces the many ways to ask to a few: synonyms become one word, filler words go. Only for recognising;
 * words that are taken literally are cut from the clause as typed.
 */

const RULES: [RegExp, string][] = [
  [/\b(what|where|who)'?s\b/gi, '$1 is'],
  // Whole phrases.
  [
    /\b(?:this|the|my|our|your|that)(?: (?:whole|entire|current|root))? (?:(?:project|repo|repository|code ?base|app|application|program|software|workspace|thing)\b(?! (?:folder|directory|file)\b)|code\b(?! (?:of|in|for)\b)|(?:folder|directory)$)(?:'s)?/gi,
    'this project',
  ],
  [/\b(?:this|my|our) (?:package|library|tool)\b/gi, 'this project'],
  [/\bdirector(?:y\b|ies\b)/gi, 'folder'],
  [
    /(?<=^|\s)(?:me|us|all of|the|an?|my|our|your|its|all|every|any|whole|entire|full|exactly|existing)\s(?=\S)/gi,
    '',
  ],
  [/ (?:to|for) (?:me|us)$/i, ''],
  // Verbs.
  [
    /^(?:open|print|cat|read|display|view|see|type|less|more|dump|output|give|get|provide|look at)\b/i,
    'show',
  ],
  [/^(?:locate|look for|look up|search for|search(?! .* for )|go to|goto|jump to)\b/i, 'find'],
  [/^(?:execute|start|launch|perform|rerun|re-run)\b/i, 'run'],
  [
    /^(?:describe|summari[sz]e|outline|analy[sz]e|understand|walk through|tell (?:me )?(?:more )?about|introduce|explore|inspect|learn about|document|familiari[sz]e yourself with|what is purpose of)\b/i,
    'explain',
  ],
  [
    /^(?:(?:show|write|make) )?(?:(?:short|brief|quick|high-level|general) )*(?:summary|outline|overview|explanation|description|introduction|tour|structure|architecture)(?: (?:of|to|about|over|for)\b)?/i,
    'explain',
  ],
];

export function simplify(text: string): string {
  let simple = text;
  for (const [pattern, replacement] of RULES) simple = simple.replace(pattern, replacement);
  return simple.trim();
}
