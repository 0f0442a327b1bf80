// What the page says, in both languages.

const SAID = {
  en: {
    skip: "To the content", otherLanguage: "한국어", large: "Large type",
    translate: "Translate", caption: "Caption", answer: "Answer", mechanism: "Mechanism",
    text: "Text", model: "Model", beside: "Beside it", none: "nothing", beam: "Beam", translating: "Translate",
    exchange: "Exchange a word:", fitting: "Words that fit", noneFit: "nothing else fits here",
    another: "Another sentence", lines: "Lines", matrix: "Matrix", view: "View",
    typeHere: "Type a sentence, or draw one.", nothingYet: "Nothing yet.",
    unknown: (words) => `This model never learned: ${words}`,
    unsure: "The model is not sure of the underlined words.",
    unfinished: "It did not come to an end by itself.",
    noAttention: "This model has no attention: one vector is all that it keeps of the sentence.",
    hintWords: "Point at a word to see what it looked at; click it to change that.",
    edit: (word) => `What “${word}” looks at`,
    editHint: "Move weight from word to word, here or by dragging a cell of the matrix up and down; the sentence is told again from there.",
    force: "Or say this in its place", say: "Say", back: "Back to the model's own", close: "Close",
    others: "Other translations", table: "The weights as a table", rows: "rows", columns: "columns",
    noModel: () => "No model for this is loaded. Start the studio with one: jumok studio FOLDER",
    teach: "Train one here, in a few minutes",
    picture: "Picture", choose: "Choose a picture", drop: "or drop one here", drawn: "A fresh drawing", play: "Play the words", stop: "Stop",
    things: "Things", really: "Drawn was", moveHint: "Drag it in the picture, or press the arrow keys here.",
    begin: "Begin with", story: "Story, a sentence a line", question: "Question", ask: "Ask", hop: "hop", sure: "sure",
    notSeen: (words) => `Never seen in training, so left out: ${words}`,
    query: "Query", keys: "Keys", values: "Values", name: "Name", score: "Score", normalize: "Normaliser",
    temperature: "Temperature", window: "Window", everywhere: "everywhere", around: (n) => `around key ${n}`, select: "Selector", soft: "soft: the mean", hard: "hard: draw one",
    next: "Next step", all: "All steps", first: "From the start", drawAgain: "Draw again", draws: (n) => `drawn ${n} times; the dark marks are the probabilities`,
    dictionary: "The dictionary", addKey: "Another key",
    mechanismHint: "A look, one step at a time. Names are only for you; the numbers decide. Every number here is computed by jumok.attention.",
    stage1: "1. Scores: how well does each key fit the query?", stage2: "2. Probabilities: scores made to sum to 1",
    stage3: "3. Weights: what is taken of each value", stage4: "4. Weighted values", stage5: "5. Context: their sum",
    sameEachTime: "Soft gives the same each time.",
    graph: "Graph", compare: "Compare", comparing: "Compare", busy: "Translating; this takes some seconds…",
    compareHint: "BLEU by the length of sentences, with 95 % intervals.", node: "Node", layer: "Layer", label: "said to be", known: "known as",
    graphHint: "Every edge has two halves: the half beside a node is as thick as that node's look along it.",
    right: (share) => `${share} % of the labels that are known are right.`, asTable: "As a table",
    refused: "Left out", loading: "…", copied: "The address keeps these numbers: copy it to come back.",
  },
  ko: {
    skip: "본문으로", otherLanguage: "English", large: "큰 글자",
    translate: "번역", caption: "그림 설명", answer: "묻고 답하기", mechanism: "원리",
    text: "글", model: "모델", beside: "견줄 모델", none: "없음", beam: "빔", translating: "번역하기",
    exchange: "낱말 바꾸기:", fitting: "들어갈 수 있는 낱말", noneFit: "달리 들어갈 말이 없습니다",
    another: "다른 문장", lines: "선", matrix: "행렬", view: "보기",
    typeHere: "문장을 쓰거나, 하나 뽑아 보세요.", nothingYet: "아직 없습니다.",
    unknown: (words) => `이 모델이 배우지 않은 낱말입니다: ${words}`,
    unsure: "밑줄 친 낱말은 모델도 자신이 없습니다.",
    unfinished: "문장이 스스로 끝나지 않았습니다.",
    noAttention: "어텐션이 없는 모델입니다. 문장 전체를 벡터 하나에 담아 둡니다.",
    hintWords: "낱말을 가리키면 어디를 보았는지 보이고, 누르면 바꿀 수 있습니다.",
    edit: (word) => `‘${word}’의 시선`,
    editHint: "여기서, 또는 행렬의 칸을 위아래로 끌어서 가중치를 옮겨 보세요. 그 자리부터 다시 번역합니다.",
    force: "이 말로 바꾸기", say: "바꾸기", back: "모델의 것으로 되돌리기", close: "닫기",
    others: "다른 번역", table: "가중치를 표로 보기", rows: "행", columns: "열",
    noModel: () => "쓸 수 있는 모델이 없습니다. 모델과 함께 여세요: jumok studio 폴더",
    teach: "몇 분 동안 여기서 학습하기",
    picture: "그림", choose: "그림 고르기", drop: "또는 여기에 끌어다 놓으세요", drawn: "새 그림 그리기", play: "낱말 따라가기", stop: "멈추기",
    things: "사물", really: "그린 것", moveHint: "그림에서 끌어 옮기거나, 여기서 화살표 키를 누르세요.",
    begin: "이렇게 시작", story: "이야기, 한 줄에 한 문장", question: "질문", ask: "묻기", hop: "홉", sure: "확신",
    notSeen: (words) => `배운 적이 없어 빼고 읽었습니다: ${words}`,
    query: "쿼리", keys: "키", values: "값", name: "이름", score: "점수 함수", normalize: "정규화",
    temperature: "온도", window: "창", everywhere: "전체", around: (n) => `${n}번 키 둘레`, select: "고르는 법", soft: "soft: 가중 평균", hard: "hard: 하나 뽑기",
    next: "다음 단계", all: "모두 보기", first: "처음부터", drawAgain: "다시 뽑기", draws: (n) => `${n}번 뽑은 횟수, 짙은 선은 확률`,
    dictionary: "사전 예제", addKey: "키 더하기",
    mechanismHint: "한 번의 시선을 한 단계씩 따라갑니다. 이름은 읽는 사람을 위한 것이고, 계산은 숫자로 합니다. 모든 값은 jumok.attention이 계산합니다.",
    stage1: "1. 점수: 키마다 쿼리와 얼마나 맞는가", stage2: "2. 확률: 합이 1이 되도록",
    stage3: "3. 가중치: 값마다 얼마씩 가져올지", stage4: "4. 가중치를 곱한 값", stage5: "5. 문맥 벡터: 모두 더한 것",
    sameEachTime: "soft는 언제나 같은 결과를 냅니다.",
    graph: "그래프", compare: "견주기", comparing: "견주기", busy: "번역하고 있습니다. 몇 초 걸립니다…",
    compareHint: "문장 길이별 BLEU와 95 % 구간입니다.", node: "노드", layer: "층", label: "예측", known: "정답",
    graphHint: "간선은 두 쪽으로 나뉩니다. 노드 쪽 절반의 굵기가 그 노드가 그 간선을 따라 본 만큼입니다.",
    right: (share) => `정답을 아는 노드의 ${share} %가 맞습니다.`, asTable: "표로 보기",
    refused: "열지 못한 모델", loading: "…", copied: "주소에 이 숫자들이 들어 있습니다. 주소를 복사해 두면 다시 열 수 있습니다.",
  },
};

const asked = localStorage.getItem("language") ?? (navigator.language.startsWith("ko") ? "ko" : "en");
export const language = asked === "ko" ? "ko" : "en";
export const say = (name, ...given) => {
  const found = SAID[language][name] ?? name;
  return typeof found === "function" ? found(...given) : found;
};

export function otherLanguage() {
  localStorage.setItem("language", language === "ko" ? "en" : "ko");
  location.reload();
}
