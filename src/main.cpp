#include "warmlane/app/main.hpp"

int main(int argc, char** argv) {
    return warmlane::app::main(argc, argv);
}
